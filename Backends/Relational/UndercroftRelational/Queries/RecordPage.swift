import UndercroftCore
import UndercroftSQLite

/// Consecutive records of a query, and the position after them.
public struct RecordPage<Record> {
  /// The records, in the order of the query.
  public let records: [Record]
  /// The position after the last record, where the next page
  /// continues even if rows were inserted or deleted in between.
  ///
  /// If the page is empty, this is the position that the page was
  /// requested after. It is `nil` if there has been no record at all.
  public let end: PageCursor?
  /// Whether there were more records when the page was read.
  public let hasMore: Bool
}

extension RecordPage: Sendable where Record: Sendable {}
extension RecordPage: Equatable where Record: Equatable {}

/// A position between two pages of a query: the values by which
/// the last record of a page was sorted.
///
/// The position remains valid if this record is deleted.
public struct PageCursor: Sendable, Hashable {
  /// The SQL of the order and its bound values.
  ///
  /// The position is valid only for this order.
  let order: String
  let orderValues: [SQLValue]
  /// The values by which the last record was sorted.
  let values: [SQLValue]

  init(of order: SQL, _ values: [SQLValue]) {
    self.order = order.text
    orderValues = order.arguments
    self.values = values
  }

  func isOf(_ order: SQL) -> Bool {
    self.order.isExactly(order.text) && orderValues == order.arguments
  }
}
