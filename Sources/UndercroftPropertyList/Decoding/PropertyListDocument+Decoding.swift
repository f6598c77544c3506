import UndercroftFoundation

extension PropertyListDocument {
  /// Decodes a value with the rules of Foundation's decoder.
  ///
  /// The values of the list are decoded when the type requests them. Decoding recurses once for
  /// each level of containers; verify ``nestingDepth()`` before.
  ///
  /// - Parameter type: the type of the value.
  /// - Throws: `DecodingError` if the list has no such value or is damaged, and any error of the
  ///   type.
  package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try PropertyListValueDecoder(
      list: DecodedList(content), number: root.number, path: nil
    ).decode(type)
  }

  /// Returns the maximum number of arrays and dictionaries that contain each other.
  ///
  /// - Throws: `PropertyListError` if a container contains itself, or if decoding would visit so
  ///   many objects that it needs too much time.
  package func nestingDepth() throws(PropertyListError) -> Int {
    switch content {
    case .binary(let list): try BinaryNesting.depth(of: list)
    case .xml(let list): list.table.depth
    }
  }
}
