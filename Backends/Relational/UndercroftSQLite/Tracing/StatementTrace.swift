/// The costs of one run of a statement.
public struct StatementTrace: Sendable {
  /// The SQL of the statement, with placeholders, or with the
  /// bound values if the tracer was created with `showsArguments`.
  public let sql: String
  /// The time span from the first step to the end of the run, including the time that the caller
  /// spends between rows.
  public let duration: Duration
  /// The number of rows that the statement returned.
  public let rowCount: Int
  /// The number of rows that were read without an index. (`SQLITE_STMTSTATUS_FULLSCAN_STEP`)
  public let scannedRowCount: Int
  /// The number of sort operations. (`SQLITE_STMTSTATUS_SORT`)
  public let sortCount: Int
  /// The number of rows that were inserted into indexes built for this run only.
  /// (`SQLITE_STMTSTATUS_AUTOINDEX`)
  public let indexedRowCount: Int
}
