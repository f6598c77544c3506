/// Looks at every statement that writes to certain tables, before and after it, raw SQL and triggers included.
///
/// Both halves run on the writer's thread within its transaction, where they may read and write the same database; what an interceptor
/// writes itself is not shown to it. A statement that is prepared to be run many times is shown once: before its first run and after its last.
///
/// It is told of tables and columns, not of rows: a rule about rows is best kept by a `CHECK`, or by a trigger with `RAISE(ABORT, …)`.
public struct TableInterceptor: Sendable {
  /// The tables it looks at, or `nil` for all.
  public var tables: Set<String>?
  /// Called before the statement; throwing refuses it, and the error reaches whoever runs it unchanged.
  public var before: @Sendable (TableWrite) throws -> Void
  /// Called after the statement has succeeded; throwing undoes it, and the error reaches whoever ran it unchanged.
  public var after: (@Sendable (TableWrite) throws -> Void)?

  /// Makes an interceptor from its halves.
  public init(
    of tables: Set<String>? = nil,
    before: @escaping @Sendable (TableWrite) throws -> Void = { _ in },
    after: (@Sendable (TableWrite) throws -> Void)? = nil
  ) {
    self.tables = tables
    self.before = before
    self.after = after
  }

  func concerns(_ write: TableWrite) -> Bool {
    guard let tables else { return true }
    let name = write.table.folded
    return tables.contains { $0.folded == name }
  }
}
