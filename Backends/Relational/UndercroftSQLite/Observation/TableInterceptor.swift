/// A pair of closures that are called before and after every statement that writes to certain
/// tables, including raw SQL and triggers.
///
/// Both closures run on the thread that writes, and inside the open transaction if there is one.
/// The closures can read and write the same database, and an interceptor is not called for its own
/// writes. For a statement that is prepared and run many times, ``before`` is called once before
/// the first run, and ``after`` is called once after the last run.
///
/// The closures receive tables and columns, but no rows. To enforce a rule about rows, use a
/// `CHECK` constraint, or a trigger with `RAISE(ABORT, …)`.
public struct TableInterceptor: Sendable {
  /// The names of the intercepted tables, or `nil` for all tables.
  public var tables: Set<String>?
  /// The closure that is called before the statement.
  ///
  /// If the closure throws, the statement is refused, and the caller of the statement receives the
  /// error unchanged.
  public var before: @Sendable (TableWrite) throws -> Void
  /// The closure that is called after the statement has succeeded.
  ///
  /// If the closure throws, the statement is undone, and the caller of the statement receives the
  /// error unchanged.
  public var after: (@Sendable (TableWrite) throws -> Void)?

  /// Creates an interceptor of `tables`, or of all tables if `tables` is `nil`.
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
