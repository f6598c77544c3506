import UndercroftCore
import UndercroftSQLite

extension DatabaseContents {
  /// Returns the columns that were dropped, renamed or changed in type, and whose values no single
  /// column contains any more.
  ///
  /// A step may move the values to any column, deduplicated and with another type. So the values
  /// are compared as text, and any one column that contains all of them is sufficient.
  func lost(
    of old: DatabaseContents, except kept: Set<TableColumnName>, intended: IntendedChanges
  ) -> [Difference] {
    var all: [Set<ExactString>]?
    var differences: [Difference] = []
    for (name, table) in old.tables.sorted(by: { $0.key < $1.key })
    where !intended.covers(name.text) {
      for (place, column) in table.columns.enumerated() {
        let isKept = kept.contains(
          TableColumnName(table: name, column: column.name.folded, type: column.type.exact))
        if isKept || intended.covers(column.name, of: name.text) { continue }
        let values = Self.texts(table, at: place)
        let present = all ?? allTexts
        all = present
        if values.isEmpty || present.contains(where: { values.isSubset(of: $0) }) { continue }
        differences.append(
          Difference(
            table: table.name,
            text: "column \(escaped(column.name)): no column holds all its values any more"))
      }
    }
    return differences
  }

  /// The distinct values of each column of each table, as text.
  private var allTexts: [Set<ExactString>] {
    tables.values.flatMap { table in
      table.columns.indices.map { Self.texts(table, at: $0) }
    }
  }

  private static func texts(_ table: Table, at place: Int) -> Set<ExactString> {
    var texts: Set<ExactString> = []
    for row in table.rows {
      switch row[place] {
      case .null: continue
      case .integer(let number): texts.insert("\(number)".exact)
      case .real(let number):
        texts.insert((Int64(exactly: number).map { "\($0)" } ?? "\(number)").exact)
      case .text(let text): texts.insert(text.exact)
      case .blob(let bytes): texts.insert(String(decoding: bytes, as: UTF8.self).exact)
      }
    }
    return texts
  }
}
