import UndercroftCore
public import UndercroftSQLite

extension TableRows {
  /// Returns the first page of records in the order of the query, or the page after the cursor
  /// `end`: `fetchPage(of: 20, after: page.end, in: db)`.
  ///
  /// Records with equal sort values are sorted by their primary key. A cursor contains the sort
  /// values and the primary key of the last record of a page, instead of a number of records. The
  /// insertion or deletion of other records between two pages therefore neither repeats nor omits a
  /// record. An order by the rank of a full-text search is an exception, because each write can
  /// change the ranks. If an index stores the rows in the order of the query, reading the last page
  /// is as fast as reading the first page.
  ///
  /// - Parameters:
  ///   - size: The maximum number of records, at least 1.
  ///   - end: The end of the previous page, or `nil` for the first page.
  ///   - db: The connection to read from.
  /// - Throws: ``StorageError/Code/misuse`` if the size is below 1, the table has no primary key,
  ///   the query has ``limit(_:offset:)`` or ``distinct()``, or `end` was returned with a page in
  ///   another order, such as a page of a table with another primary key.
  public func fetchPage(
    of size: Int, after end: PageCursor? = nil, in db: Connection
  ) throws -> RecordPage<Record> {
    let rows = all
    guard rows.limit == nil, rows.offset == 0, !rows.isDistinct else {
      throw StorageError(
        .misuse,
        """
        cannot fetch a page of \(quoted(rows.table.name)): the query has \
        \(rows.isDistinct ? "distinct()" : rows.limit == nil ? "an offset" : "a limit")
        """,
        suggestion: """
          remove limit(_:offset:), offset(_:) and distinct() from the query; the page size limits \
          the number of records
          """,
        backend: "sqlite")
    }
    guard size > 0 else {
      throw StorageError(
        .misuse,
        """
        cannot fetch a page of \(size) records of \(quoted(rows.table.name)): the size must be \
        positive
        """,
        suggestion: "pass a size of 1 or more", backend: "sqlite")
    }
    let order = try pageOrder()
    let orderSQL = order.map(\.sql).joined(separator: ", ")
    var query = rows.with {
      $0.orders = order
      // One more row shows whether there is another page.
      $0.limit = Swift.min(Swift.max(0, size), .max - 1) + 1
    }
    if let end {
      guard end.isOf(orderSQL), end.values.count == order.count else {
        throw StorageError(
          .misuse,
          """
          cannot fetch the next page of \(quoted(rows.table.name)): the argument "after" is a \
          cursor of a query with another order or of another table
          """,
          suggestion: """
            for the argument "after", pass RecordPage.end of the previous page of this query, or \
            nil for the first page
            """,
          backend: "sqlite")
      }
      let further = Self.following(Array(zip(order, end.values)))
      query.condition = rows.condition.map { $0 && further } ?? further
    }
    let columns: SQL = "\(rows.allColumns), \(order.map(\.term).joined(separator: ", "))"
    let width = rows.table.definition.columns.count
    var records: [Record] = []
    var last = end
    var hasMore = false
    try db.forEachUntil(try query.ready(query.select(columns), in: db)) { row in
      guard records.count < size else {
        hasMore = true
        return .stop
      }
      records.append(try rows.table.codec.decode(row, 0))
      var values: [SQLValue] = []
      for index in order.indices { values.append(try row.value(at: width + index)) }
      last = PageCursor(of: orderSQL, values)
      return .continue
    }
    return RecordPage(records: records, end: last, hasMore: hasMore)
  }

  /// Returns the sort terms of the query, followed by the primary key.
  ///
  /// If the query has a search and no sort terms, the rank comes first.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the table has no primary key.
  private func pageOrder() throws(StorageError) -> [SQLOrdering] {
    var order = all.orders
    if order.isEmpty, all.search != nil { order = [.rank] }
    for key in try all.table.definition.requireKey("fetch a page") {
      let term: SQL = "\(identifier: key.name)"
      // A column that is already part of the order need not be added.
      if order.contains(where: { $0.term.text.isExactly(term.text) }) { continue }
      order.append(SQLOrdering(term))
    }
    return order
  }

  /// Returns a condition that is true for the rows that are sorted after the row with the given
  /// values of the sort terms.
  ///
  /// The first term decides whether a row is sorted after the given row. If both rows have the same
  /// value of the first term, the second term decides, and so on.
  private static func following(_ values: [(SQLOrdering, SQLValue)]) -> Condition {
    var alternatives: [Condition] = []
    var same: [Condition] = []
    for (order, value) in values {
      let term = SQLExpression<SQLValue>(order.term)
      if let after = after(term, value, order) { alternatives.append(.all(same + [after])) }
      same.append(term.joined("IS", "\(value)"))
    }
    return .any(alternatives)
  }

  /// Returns a condition that is true if a term is sorted after `value`, or `nil` if no value can
  /// be sorted after `value`.
  private static func after(
    _ term: SQLExpression<SQLValue>, _ value: SQLValue, _ order: SQLOrdering
  ) -> Condition? {
    if value == .null { return order.hasNullsFirst ? term.joined("IS NOT", "NULL") : nil }
    let beyond: Condition = term.joined(order.isDescending ? "<" : ">", "\(value)")
    return order.hasNullsFirst ? beyond : beyond || term.joined("IS", "NULL")
  }
}

/// A page of consecutive records of a query, and the position after the last record.
public struct RecordPage<Record> {
  /// The records, in the order of the query.
  public let records: [Record]
  /// The position after the last record, where the next page
  /// continues even if rows were inserted or deleted in between.
  ///
  /// If the page is empty, the value is the position that was passed to
  /// ``TableRows/fetchPage(of:after:in:)``, or `nil` for the first page.
  public let end: PageCursor?
  /// Whether there were more records when the page was read.
  public let hasMore: Bool
}

extension RecordPage: Sendable where Record: Sendable {}
extension RecordPage: Equatable where Record: Equatable {}
