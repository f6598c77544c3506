/// What happens to a row when the row it refers to is deleted or gets another key.
public enum ForeignKeyAction: String, Sendable, Hashable, CaseIterable {
  /// The change is refused when the statement ends, or the transaction where the reference is deferred.
  case noAction = "NO ACTION"
  /// The change is refused at once.
  case restrict = "RESTRICT"
  /// The reference becomes NULL.
  case setNull = "SET NULL"
  /// The reference becomes its column's default.
  case setDefault = "SET DEFAULT"
  /// The row is deleted as well, or refers to the new key.
  case cascade = "CASCADE"
}
