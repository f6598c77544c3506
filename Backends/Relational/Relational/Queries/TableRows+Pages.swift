import UndercroftCore
public import UndercroftSQLite

extension TableRows {
  /// Returns the first records in its order, or those after a page: `page(of: 20, after: page.end, in: db)`.
  ///
  /// Records with the same place in the order are told apart by their primary key, so that none comes twice and none is left out when others
  /// come or go. It takes as long for the last page as for the first where an index has the order.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for a size below 1, for a table without a primary key, for a query with ``limit(_:offset:)`` or ``distinct()``, and
  ///   for the end of a page of another order.
  public func page(
    of size: Int, after end: PageEnd? = nil, in db: borrowing Connection
  ) throws -> Page<Record> {
    let rows = all
    guard rows.limit == nil, rows.offset == 0, !rows.isDistinct else {
      throw StorageError(
        .misuse, "cannot read a page of a query with limit, offset or distinct",
        cure: "leave them out: a page has a size", backend: "sqlite")
    }
    guard size > 0 else {
      throw StorageError(
        .misuse, "cannot read a page of \(size) records: no page would ever be the last",
        cure: "ask for 1 or more", backend: "sqlite")
    }
    let order = try pageOrder()
    let orderSQL = order.map(\.sql).joined(separator: ", ")
    var query = rows.with {
      $0.orders = order
      // One more tells whether there is more.
      $0.limit = Swift.min(Swift.max(0, size), .max - 1) + 1
    }
    if let end {
      guard end.isOf(orderSQL), end.values.count == order.count else {
        throw StorageError(
          .misuse, "cannot read the next page: the last one had another order",
          cure: "give the end of a page of the same query", backend: "sqlite")
      }
      let further = Self.following(Array(zip(order, end.values)))
      query.condition = rows.condition.map { $0 && further } ?? further
    }
    let columns: SQL = "\(rows.allColumns), \(order.map(\.term).joined(separator: ", "))"
    let width = rows.table.definition.columns.count
    var records: [Record] = []
    var last = end
    var hasMore = false
    try db.walk(try query.ready(query.select(columns), in: db)) { row in
      guard records.count < size else {
        hasMore = true
        return .stop
      }
      records.append(try rows.table.codec.decode(row, 0))
      var values: [SQLValue] = []
      for place in order.indices { values.append(try row.value(at: width + place)) }
      last = PageEnd(of: orderSQL, values)
      return .continue
    }
    return Page(records: records, end: last, hasMore: hasMore)
  }

  /// Its order, which is that of the search where no other is given, and the primary key after it.
  private func pageOrder() throws(StorageError) -> [Ordering] {
    var order = all.orders
    if order.isEmpty, all.search != nil { order = [.rank] }
    for key in try all.table.definition.requireKey("read a page") {
      let term: SQL = "\(identifier: key.name)"
      // What comes after the key makes no difference.
      if order.contains(where: { $0.term.text.isExactly(term.text) }) { continue }
      order.append(Ordering(term))
    }
    return order
  }

  /// What comes after a row with these values: greater in the first, or the same in it and greater in the second, and so on.
  private static func following(_ places: [(Ordering, SQLValue)]) -> Condition {
    var alternatives: [Condition] = []
    var same: [Condition] = []
    for (order, value) in places {
      let term = SQLExpression<SQLValue>(order.term)
      if let after = after(term, value, order) { alternatives.append(.all(same + [after])) }
      same.append(term.joined("IS", "\(value)"))
    }
    return .any(alternatives)
  }

  /// What comes after a value, or `nil` when nothing can.
  private static func after(
    _ term: SQLExpression<SQLValue>, _ value: SQLValue, _ order: Ordering
  ) -> Condition? {
    if value == .null { return order.hasNullsFirst ? term.joined("IS NOT", "NULL") : nil }
    let beyond: Condition = term.joined(order.isDescending ? "<" : ">", "\(value)")
    return order.hasNullsFirst ? beyond : beyond || term.joined("IS", "NULL")
  }
}
