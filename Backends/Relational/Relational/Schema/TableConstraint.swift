/// What holds for several columns of a table together.
enum TableConstraint: Sendable, Equatable {
  case unique([String])
  /// A condition on every row, as SQL.
  case check(String)
}
