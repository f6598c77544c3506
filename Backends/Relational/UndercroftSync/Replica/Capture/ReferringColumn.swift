import UndercroftCore

/// A column of a captured table that refers to rows of a table by their integer keys.
struct ReferringColumn {
  /// The table that has the column.
  let table: CapturedTable
  /// The name of the column in the helper tables of ``table``.
  let storedName: String

  /// Returns the columns that refer to a table, or an empty array if the keys of the table are
  /// identifiers, because the change of such a key is a deletion and an insertion.
  static func columns(
    referringTo target: CapturedTable, among tables: [CapturedTable]
  ) -> [ReferringColumn] {
    guard target.identity == .integer else { return [] }
    return tables.flatMap { table in
      table.columns.filter {
        $0.role == .reference && $0.referencedTable?.isExactly(target.name) == true
      }.map { ReferringColumn(table: table, storedName: $0.storedName) }
    }
  }
}
