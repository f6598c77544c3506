public import UndercroftCore

/// How a database is opened.
public struct DatabaseOptions: Sendable {
  /// What a commit survives.
  public var durability: Durability
  /// How long to wait for another thread's or process's transaction.
  public var lockTimeout: Duration
  /// How many threads may read at once, each on a connection of its own; at least 1.
  public var readerCount: Int
  /// Whether observers may learn of single rows, where the library can tell (`sqlite3_preupdate_hook`); otherwise of tables and columns.
  public var observesRows = true
  /// Whether the ``SQLiteError`` behind an error tells the values of its statement; they may be nobody's business.
  public var showsArguments = false
  /// Who is told of every statement that was run.
  public var tracer: StatementTracer?
  /// Called for whatever is slow in the plan of a statement before it is run for the first time; throwing refuses it, as tests may wish.
  ///
  /// ```swift
  /// options.planCheck = { warning in throw warning }
  /// ```
  public var planCheck: (@Sendable (PlanWarning) throws -> Void)?

  /// Makes the options.
  public init(
    durability: Durability = .processDeath, lockTimeout: Duration = .seconds(5),
    readerCount: Int = 5
  ) {
    self.durability = durability
    self.lockTimeout = lockTimeout
    self.readerCount = readerCount
  }
}
