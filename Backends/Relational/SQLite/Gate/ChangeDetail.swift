/// How much of a change somebody wants to know.
public enum ChangeDetail: Sendable, Comparable {
  /// The tables and their columns.
  case columns
  /// Each row as well, up to 10,000 of one table in one transaction.
  case rows
}
