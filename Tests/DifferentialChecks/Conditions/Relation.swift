import UndercroftRelational

/// Rows that both the library and the model can read: a table, partitions, a union or a vertical
/// split of items.
struct Relation: Sendable {
  let name: String
  let items: [Item]
  let rows: any TableRows<Item>

  init(_ name: String, _ rows: any TableRows<Item>, _ items: [Item]) {
    (self.name, self.rows, self.items) = (name, rows, items)
  }
}

extension Term where Value.Unwrapped == Int {
  /// Returns a condition that is true if a column of another query contains the value of this term.
  func isIn(_ relation: Relation, _ condition: Predicate?, of path: SubqueryColumn, isNegated: Bool)
    -> Predicate
  {
    let found = relation.items.filter { condition?.matches($0) ?? true }.map(path.cell)
    let text = "\(self.text).isIn(\(relation.name) where \(condition?.text ?? "true") \(path))"
    return Predicate(isNegated ? "!\(text)" : text) { columns in
      let own = library(columns)
      return path.condition(own, relation.rows, condition, isNegated)
    } model: { rows in
      let own = model(rows)
      return found.contains { own.compared(to: $0, .binary) == 0 } != isNegated
    }
  }
}

/// The column that a subquery of a condition selects.
enum SubqueryColumn: CaseIterable, Sendable {
  case a, b

  var cell: @Sendable (Item) -> Cell {
    switch self {
    case .a: { Cell($0.a) }
    case .b: { Cell($0.b) }
    }
  }

  func condition<Value: ColumnValue, Rows: TableRows<Item>>(
    _ own: SQLExpression<Value>, _ rows: Rows, _ condition: Predicate?, _ isNegated: Bool
  ) -> Condition where Value.Unwrapped == Int {
    let query = condition.map { wanted in rows.where { wanted.library([$0]) } } ?? rows.all
    switch self {
    case .a:
      let values = query.select { $0.a }
      return isNegated ? own.isNotIn(values) : own.isIn(values)
    case .b:
      let values = query.select { $0.b }
      return isNegated ? own.isNotIn(values) : own.isIn(values)
    }
  }
}
