/// A pair of handlers that a gate calls before and after each of its writes.
public struct Interceptor: Sendable {
  /// Called before the write; an error rejects the write and reaches the writer unchanged.
  ///
  /// The calling thread holds the lock of the gate and the writer lock of its backend, so other
  /// writers wait. Writing to the same gate from this handler throws ``StorageError/Code/misuse``.
  public var before: @Sendable (Write) throws -> Void

  /// Called after the write has succeeded, without the
  /// lock of the gate, so that it may read and write.
  public var after: @Sendable (Write) -> Void

  /// Creates an interceptor from its handlers.
  public init(
    before: @escaping @Sendable (Write) throws -> Void = { _ in },
    after: @escaping @Sendable (Write) -> Void = { _ in }
  ) {
    self.before = before
    self.after = after
  }
}
