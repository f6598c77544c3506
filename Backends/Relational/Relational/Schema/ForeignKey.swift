/// What a column refers to: found out at first use, so that two tables may refer to each other.
struct ForeignKey: Sendable {
  /// The table and its key column.
  let target: @Sendable () -> (table: String, column: String)
  let onDelete: Action
  let onUpdate: Action

  /// What becomes of a row when the row it refers to is deleted or gets another key.
  enum Action: String, Sendable {
    /// The change is refused.
    case restrict = "RESTRICT"
    /// The row goes, or changes, with it.
    case cascade = "CASCADE"
    /// The column becomes NULL.
    case setNull = "SET NULL"
    /// The change is refused unless the transaction mends it.
    case none = "NO ACTION"
  }

  var rule: String {
    " ON DELETE \(onDelete.rawValue) ON UPDATE \(onUpdate.rawValue) DEFERRABLE INITIALLY DEFERRED"
  }
}
