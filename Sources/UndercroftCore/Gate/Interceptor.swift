/// Looks at every write of a gate, before and after.
public struct Interceptor: Sendable {
  /// Called before the write; throwing refuses it, and the error reaches the writer unchanged.
  ///
  /// It holds the gate and the writer lock of its backend, so that other writers wait for it. Writing to the same gate from here
  /// is an error of code ``StorageError/Code/misuse``.
  public var before: @Sendable (Write) throws -> Void

  /// Called after the write has succeeded, outside the gate: it may read and write, as observers may.
  public var after: @Sendable (Write) -> Void

  /// Makes an interceptor from its halves.
  public init(
    before: @escaping @Sendable (Write) throws -> Void = { _ in },
    after: @escaping @Sendable (Write) -> Void = { _ in }
  ) {
    self.before = before
    self.after = after
  }
}
