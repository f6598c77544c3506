/// The level of detail at which an observer receives changes.
public enum ChangeDetail: Sendable, Comparable {
  /// The changed tables and their columns.
  case columns
  /// Each changed row as well, up to 10,000 rows of one table in one transaction.
  case rows
}
