public import UndercroftFoundation

/// Blobs: values of type `Data` that are written and read in
/// chunks, so that a large value is never in memory as a whole.
extension Storage {
  /// Writes a value in chunks.
  ///
  /// The value becomes visible as a whole when `body` returns. If `body` throws, nothing is stored.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` if the backend of the
  ///   kind cannot stream, ``StorageError/Code/tooLarge`` if the value
  ///   exceeds the limit of the kind, and any error that `body` throws.
  public func withWriter<Result>(
    for key: StorageKey<Data?>, _ body: (any StreamWriter) throws -> Result
  ) throws -> Result {
    let route = try route(for: key.kind)
    let gate = try gate(of: route)
    let coding = route.coding
    let name = try coding.backendName(of: key)
    let writer = LimitedWriter(try streaming(gate.backend, key).writer(for: name)) {
      (count) throws(StorageError) in try coding.checkSize(count, of: key.name)
    }
    let result = try body(writer)
    try gate.write(.stream(name)) { () throws(StorageError) in try writer.finish() }
    return result
  }

  /// Reads a value in chunks.
  ///
  /// - Parameters:
  ///   - key: the key of the value.
  ///   - body: reads the value; receives `nil` if there is none.
  /// - Throws: ``StorageError/Code/notSupported`` if the backend of
  ///   the kind cannot stream, and any error that `body` throws.
  public func withReader<Result>(
    for key: StorageKey<Data?>, _ body: ((any StreamReader)?) throws -> Result
  ) throws -> Result {
    let route = try route(for: key.kind)
    let gate = try gate(of: route)
    let name = try route.coding.backendName(of: key)
    return try body(try streaming(gate.backend, key).reader(for: name))
  }

  private func streaming(
    _ backend: any StorageBackend, _ key: StorageKey<Data?>
  ) throws(StorageError) -> any StreamingBackend {
    if let streaming = backend as? any StreamingBackend { return streaming }
    throw StorageError(
      .notSupported,
      """
      cannot stream a value of the kind \(key.kind): the backend \(quoted(backend.name)) reads and \
      writes only whole values
      """,
      suggestion: key.kind.requiredCapabilities.isDisjoint(with: [.confidential, .relational])
        ? "use load(_:) and save(_:for:) for the whole value, or route \(key.kind) to .files(in:)"
        : "use load(_:) and save(_:for:) for the whole value",
      backend: backend.name, key: key.name)
  }
}
