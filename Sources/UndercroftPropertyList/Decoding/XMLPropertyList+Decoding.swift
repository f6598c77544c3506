import UndercroftFoundation

extension XMLPropertyList {
  /// Returns the value of an element as a decoder reads it.
  ///
  /// A dictionary with the key `CF$UID` is a dictionary here, because an encoder may have written
  /// it. A date before 1582 is one of the Julian calendar, as Foundation's encoder writes it.
  func storedValue(at number: Int) throws(PropertyListError) -> StoredValue {
    let node = try node(PropertyListReference(number: number))
    switch node.element {
    case .key, .string: return isNull(node) ? .null : .string
    case .integer: return .integer(try integer(node))
    case .true, .false: return .boolean(try boolean(node))
    case .real: return .real(try real(node))
    case .date: return .date(secondsSince2001: try date(node, before1582: .julian))
    case .data: return .data
    case .dict:
      return .dictionary(
        ElementRange(start: node.range.lowerBound, count: node.range.count / 2))
    case .plist, .array:
      return .array(ElementRange(start: node.range.lowerBound, count: node.range.count))
    }
  }

  /// Returns whether a text without references is `$null`, which an encoder writes for `nil`.
  private func isNull(_ node: XMLNodeTable.Node) -> Bool {
    node.isPlain && node.range.count == 5 && node.element == .string
      && bytes[node.range].elementsEqual("$null".utf8)
  }

  /// Returns the text of a string.
  func string(at number: Int) throws(PropertyListError) -> String {
    try text(try node(PropertyListReference(number: number)))
  }

  /// Returns the bytes of data.
  func data(at number: Int) throws(PropertyListError) -> Data {
    try data(try node(PropertyListReference(number: number)))
  }

  /// Returns a real number, rounded to `Float`, or `nil` for another value.
  func float(at number: Int) throws(PropertyListError) -> Float? {
    let node = try node(PropertyListReference(number: number))
    return node.element == .real ? try real(node) : nil
  }

  /// Returns the place of a key, or `nil` if the key is not a short ASCII text.
  func keyText(at number: Int, maximumLength: Int) throws(PropertyListError) -> KeyText? {
    let node = try node(PropertyListReference(number: number))
    guard node.isPlain, node.range.count <= maximumLength else { return nil }
    return bytes.withUnsafeBytes { bytes in
      for index in node.range where bytes[index] >= 0x80 { return nil }
      return KeyText(offset: node.range.lowerBound, length: node.range.count, in: bytes)
    }
  }
}
