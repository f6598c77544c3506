/// Looks at every statement that writes to certain tables, before and after it, raw SQL and triggers included.
///
/// Both halves run on the writer's thread within its transaction, where they may read and write the same database; what an interceptor
/// writes itself is not shown to it. A statement that is prepared to be run many times is shown once.
public struct TableInterceptor: Sendable {
  /// The tables it looks at, or `nil` for all.
  public var tables: Set<String>?
  /// Called before the statement; throwing refuses it, and the error reaches whoever runs it unchanged.
  public var before: @Sendable (TableWrite) throws -> Void
  /// Called after the statement has succeeded; throwing undoes the transaction unless the error is caught in it.
  ///
  /// Without a transaction the statement has been kept by then.
  public var after: @Sendable (TableWrite) throws -> Void

  /// Makes an interceptor from its halves.
  public init(
    of tables: Set<String>? = nil,
    before: @escaping @Sendable (TableWrite) throws -> Void = { _ in },
    after: @escaping @Sendable (TableWrite) throws -> Void = { _ in }
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
