import UndercroftCore

/// What all observers of a database want to know together.
struct Interest: Sendable {
  private var tables: [ExactString: ChangeDetail] = [:]
  private var everything: ChangeDetail?

  var isEmpty: Bool { everything == nil && tables.isEmpty }

  mutating func add(_ region: Region, _ detail: ChangeDetail) {
    guard let parts = region.parts else {
      everything = max(everything ?? detail, detail)
      return
    }
    for (table, part) in parts {
      let wanted = part.rows == nil ? detail : .rows
      tables[table] = max(tables[table] ?? wanted, wanted)
    }
  }

  /// How much is wanted of a table, whose name is folded; `nil`: nothing.
  func detail(of table: ExactString) -> ChangeDetail? {
    guard let detail = tables[table] else { return everything }
    return everything.map { max($0, detail) } ?? detail
  }
}
