import UndercroftRelational

/// A calculated value in two forms: as the library executes it, and as the model computes it from
/// rows.
///
/// In a join, `rows` and the columns have one element for each table. A missing row of an outer
/// join is `nil`.
struct Term<Value: ColumnValue>: Sendable {
  let text: String
  /// The collation of a column, or an explicit collation, which has precedence over the collation
  /// of a column.
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

  /// The collation with which the values of this term are compared with a literal.
  var ownCollation: Collation { collation?.collation ?? .binary }

  /// Returns the collation of a comparison with another term.
  ///
  /// The first explicit collation is used, or otherwise the first collation of a column.
  func collation<Other>(with other: Term<Other>) -> Collation {
    if let collation, collation.isExplicit { return collation.collation }
    if let collation = other.collation, collation.isExplicit { return collation.collation }
    return collation?.collation ?? other.ownCollation
  }
}
