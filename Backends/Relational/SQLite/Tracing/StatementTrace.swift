/// What running one statement has cost.
public struct StatementTrace: Sendable {
  /// The statement with its placeholders; with the values in their places when the tracer asked for them.
  public let sql: String
  /// The time from its first step to its end, including what its caller did between rows.
  public let duration: Duration
  /// How many rows it has returned.
  public let rowCount: Int
  /// How many rows it has looked at without an index to lead it. (`SQLITE_STMTSTATUS_FULLSCAN_STEP`)
  public let scannedRowCount: Int
  /// How many times it had to sort. (`SQLITE_STMTSTATUS_SORT`)
  public let sortCount: Int
  /// How many rows it has put into indexes made for this run alone. (`SQLITE_STMTSTATUS_AUTOINDEX`)
  public let indexedRowCount: Int
}
