/// The level of detail at which an observer receives changes.
public enum ChangeDetail: Sendable, Comparable {
  /// The changed tables and their columns.
  case columns
  /// The changed tables, their columns and each changed row.
  ///
  /// If one write changes more than 10,000 rows of a table, no rows of that table are reported.
  /// Rows of virtual tables are never reported.
  case rows
}
