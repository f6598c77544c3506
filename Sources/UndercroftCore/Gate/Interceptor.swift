/// A pair of handlers that a gate calls before and after each of its writes.
package struct Interceptor: Sendable {
  /// The handler that is called before the write.
  ///
  /// An error that the handler throws rejects the write and reaches the writer unchanged.
  ///
  /// The calling thread holds the lock of the gate and the writer lock of its backend, so other
  /// writers wait. Writing to the same gate from this handler throws ``StorageError/Code/misuse``.
  package var before: @Sendable (Gate.Write) throws -> Void

  /// The handler that is called after the write has succeeded.
  ///
  /// The handler can read and write, because it runs without the lock of the gate.
  package var after: @Sendable (Gate.Write) -> Void

  /// Creates an interceptor from its handlers.
  package init(
    before: @escaping @Sendable (Gate.Write) throws -> Void = { _ in },
    after: @escaping @Sendable (Gate.Write) -> Void = { _ in }
  ) {
    self.before = before
    self.after = after
  }
}
