import UndercroftRelational

/// A visit to the library, declared as one table and as partitions of the same name.
struct CountedVisit: TableRecord, Equatable {
  var id: Int64?
  var reader: String
  var minutes: Int

  static let table = Table(
    "visit", CountedVisit.init, Column("id", \.id).primaryKey(), Column("reader", \.reader),
    Column("minutes", \.minutes))
  static let partitioned = table.partitioned(into: 2)

  init(id: Int64? = nil, reader: String = "Ada", minutes: Int = 0) {
    (self.id, self.reader, self.minutes) = (id, reader, minutes)
  }
}
