/// The action to perform if a new record conflicts with an existing row: both have the same key, or
/// the same values in the columns of a unique constraint.
public enum InsertConflict: Sendable, Hashable {
  /// Throws an error and does not insert the record. (`ABORT`)
  case fail
  /// Skips the record and leaves the existing row unchanged (`ON CONFLICT DO NOTHING`).
  ///
  /// Violations of other constraints still throw.
  case ignore
  /// Deletes every conflicting row, and the rows that foreign keys delete with it, and then inserts
  /// the record (`OR REPLACE`).
  ///
  /// To change the existing row instead, use `upsert`.
  case replace
}
