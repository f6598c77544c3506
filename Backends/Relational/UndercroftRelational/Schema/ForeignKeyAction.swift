/// The action that SQLite performs if a referenced row is deleted, or if its referenced columns
/// change.
public enum ForeignKeyAction: String, Sendable, Hashable, CaseIterable {
  /// Rejects the deletion or change of the referenced row, at the end of the statement, or of the
  /// transaction if the foreign key is deferred.
  case noAction = "NO ACTION"
  /// Rejects the deletion or change of the referenced row immediately, even if the foreign key is
  /// deferred.
  case restrict = "RESTRICT"
  /// Sets the referring columns to NULL.
  case setNull = "SET NULL"
  /// Sets the referring columns to their default values.
  case setDefault = "SET DEFAULT"
  /// Deletes the referring rows if the referenced row is deleted, or updates the referring columns
  /// if the referenced columns change.
  case cascade = "CASCADE"
}
