import UndercroftRelational

/// A calculated value in two forms: as the library is asked for it, and as the model computes it of rows.
///
/// A join has an element of `rows` and of the columns for each of its tables; a missing row of an outer
/// join is `nil`.
struct Term<Value: ColumnValue>: Sendable {
  let text: String
  /// The collation of a column, or one that was asked for, which prevails over that of a column.
  let collation: (collation: Collation, isExplicit: Bool)?
  let library: @Sendable ([Columns<Item>]) -> SQLExpression<Value>
  let model: @Sendable ([Item?]) -> Cell

  init(
    _ text: String, _ collation: (Collation, Bool)? = nil,
    _ library: @escaping @Sendable ([Columns<Item>]) -> SQLExpression<Value>,
    model: @escaping @Sendable ([Item?]) -> Cell
  ) {
    self.text = text
    self.collation = collation.map { (collation: $0.0, isExplicit: $0.1) }
    (self.library, self.model) = (library, model)
  }

  /// How its values are compared with those of a literal.
  var ownCollation: Collation { collation?.collation ?? .binary }

  /// How its values are compared with those of another: by the first explicit collation, otherwise by the first of a column.
  func collation<Other>(with other: Term<Other>) -> Collation {
    if let collation, collation.isExplicit { return collation.collation }
    if let collation = other.collation, collation.isExplicit { return collation.collation }
    return collation?.collation ?? other.ownCollation
  }
}
