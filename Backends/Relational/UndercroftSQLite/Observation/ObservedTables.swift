import UndercroftCore

/// The tables that the observers of a database watch, and the level of detail that each table
/// needs.
struct ObservedTables: Sendable {
  private var tables: [ExactString: ChangeDetail] = [:]
  private var everything: ChangeDetail?

  var isEmpty: Bool { everything == nil && tables.isEmpty }

  mutating func add(_ region: Database.Region, _ detail: ChangeDetail) {
    guard let parts = region.parts else {
      everything = max(everything ?? detail, detail)
      return
    }
    for (table, part) in parts {
      let required = part.rows == nil ? detail : .rows
      tables[table] = max(tables[table] ?? required, required)
    }
  }

  /// Returns the level of detail at which changes of a table are recorded, or `nil` if no observer
  /// watches the table.
  ///
  /// - Parameter table: the name of the table, with its ASCII letters in lower case.
  func detail(of table: ExactString) -> ChangeDetail? {
    guard let detail = tables[table] else { return everything }
    return everything.map { max($0, detail) } ?? detail
  }
}
