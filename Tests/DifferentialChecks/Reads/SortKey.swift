import UndercroftRelational

/// A term of an order, as the library executes it and as the model compares it.
struct SortKey: Sendable {
  let text: String
  let library: @Sendable ([Columns<Item>]) -> SQLOrdering
  /// Compares two rows, and returns a number less than, equal to or greater than 0.
  let order: @Sendable ([Item?], [Item?]) -> Int

  init<Value: ColumnValue>(_ term: Term<Value>, isDescending: Bool, nulls: Nulls) {
    text = "\(term.text)\(isDescending ? ".descending" : "")\(nulls.rawValue)"
    library = { columns in
      let own = term.library(columns)
      let ordering = isDescending ? own.descending : own.ascending
      return switch nulls {
      case .byDefault: ordering
      case .first: ordering.nullsFirst
      case .last: ordering.nullsLast
      }
    }
    let hasNullsFirst = nulls == .first || nulls == .byDefault && !isDescending
    order = { lhs, rhs in
      let (lhs, rhs) = (term.model(lhs), term.model(rhs))
      if lhs.isNull || rhs.isNull {
        if lhs.isNull && rhs.isNull { return 0 }
        return lhs.isNull == hasNullsFirst ? -1 : 1
      }
      let order = lhs.order(rhs, term.ownCollation)
      return isDescending ? -order : order
    }
  }

  enum Nulls: String, CaseIterable, Sendable {
    case byDefault = ""
    case first = ".nullsFirst"
    case last = ".nullsLast"
  }

  /// Returns the primary key as a term, which makes every order unambiguous.
  static func id(_ side: Int = 0) -> SortKey {
    SortKey(
      Term<Int64>.column("id", \.id, of: side) { .integer($0.id) }, isDescending: false,
      nulls: .byDefault)
  }
}

extension [SortKey] {
  func sort<Row>(_ rows: [Row], _ sides: (Row) -> [Item?]) -> [Row] {
    rows.enumerated().sorted { lhs, rhs in
      let (left, right) = (sides(lhs.element), sides(rhs.element))
      for key in self {
        let order = key.order(left, right)
        if order != 0 { return order < 0 }
      }
      return lhs.offset < rhs.offset
    }.map(\.element)
  }

  func sort(_ items: [Item]) -> [Item] { sort(items) { [$0] } }

  var text: String { map(\.text).joined(separator: ", ") }
}
