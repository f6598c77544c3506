/// What passes a gate: a batch of changes, or one value written in chunks.
public enum Write: Sendable {
  /// Changes that will be applied in this order, as the backend's names see them.
  case changes([Change])
  /// A value that was written in chunks and is about to show.
  case stream(String)

  /// The names that the write concerns.
  public var names: [String] {
    switch self {
    case .changes(let changes): changes.map(\.name)
    case .stream(let name): [name]
    }
  }
}

/// Looks at every write of a gate, before and after.
public struct Interceptor: Sendable {
  /// Called before the write; throwing refuses it, and the error reaches the writer unchanged.
  ///
  /// It holds the gate: writing to the same gate from here is an error of code ``StorageError/Code/misuse``.
  public var before: @Sendable (Write) throws -> Void

  /// Called after the write has succeeded, outside the gate: it may read and write.
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
