import UndercroftCore
import UndercroftSQLite

extension DatabaseContents {
  /// Returns a difference for each column of the old database for
  /// which no column of this database contains all of the values.
  ///
  /// A step may move the values to any column, deduplicated and with another type. So the values
  /// are compared as text, and any one column that contains all of them is sufficient.
  ///
  /// - Parameters:
  ///   - old: the contents of the database before the migration.
  ///   - preserved: the columns to skip, because `differences(from:in:intended:)` compares them.
  ///   - intended: the tables and columns to skip, because the steps change them intentionally.
  func lostValues(
    of old: DatabaseContents, except preserved: Set<TableColumnName>, intended: IntendedChanges
  ) -> [Difference] {
    var all: [Set<ExactString>]?
    var differences: [Difference] = []
    for (name, table) in old.tables.sorted(by: { $0.key < $1.key })
    where !intended.covers(name.text) {
      for (index, column) in table.columns.enumerated() {
        let isPreserved = preserved.contains(
          TableColumnName(table: name, column: column.name.folded, type: column.type.exact))
        if isPreserved || intended.covers(column.name, of: name.text) { continue }
        let values = Self.strings(table, at: index)
        let present = all ?? allStrings
        all = present
        if values.isEmpty || present.contains(where: { values.isSubset(of: $0) }) { continue }
        differences.append(
          Difference(
            table: table.name,
            text: """
              column \(quoted(column.name)): after the migration, no column contains all values of \
              this column
              """))
      }
    }
    return differences
  }

  /// The distinct values of each column of each table, as text.
  private var allStrings: [Set<ExactString>] {
    tables.values.flatMap { table in
      table.columns.indices.map { Self.strings(table, at: $0) }
    }
  }

  private static func strings(_ table: Table, at index: Int) -> Set<ExactString> {
    var strings: Set<ExactString> = []
    for row in table.rows {
      switch row[index] {
      case .null: continue
      case .integer(let number): strings.insert("\(number)".exact)
      case .real(let number):
        strings.insert((Int64(exactly: number).map { "\($0)" } ?? "\(number)").exact)
      case .text(let text): strings.insert(text.exact)
      case .blob(let bytes): strings.insert(String(decoding: bytes, as: UTF8.self).exact)
      }
    }
    return strings
  }
}
