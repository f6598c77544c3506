import UndercroftCore
import UndercroftFoundation
import UndercroftInspection

/// A table whose rows with a pattern can be found in its pages.
///
/// In such a table, each value that contains the pattern is stored as the same bytes.
struct ScannableTable {
  let pages: DatabasePages
  let rootPage: UInt32
  /// The name of the rowid that is not the name of a column.
  let rowIDName: String

  /// Returns `nil` if a value or the order of the rows could differ from what the pages contain.
  init?(_ table: String, _ pattern: BytePattern, in connection: Connection) throws {
    guard !pattern.mayMatchNumbers, pattern.count <= OverflowSearch.maximumPatternSize,
      let pages = DatabasePages(of: connection), pages.isUTF8
    else { return nil }
    let root = try connection.fetchOne(
      """
      SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = \(table) COLLATE NOCASE
      """
    ) { row in try row[0] as Int64 }
    // A virtual table has no pages. The page 1 begins with the header of the database.
    guard let root, root > 1, let rootPage = UInt32(exactly: root) else { return nil }
    let columns = try connection.fetchAll(
      "SELECT name, dflt_value, hidden, pk FROM pragma_table_xinfo(\(table))"
    ) { row in
      (
        name: try row[0] as String, standard: try row[1] as String?,
        isComputed: try row[2] as Int == 2, isKey: try row[3] as Int > 0
      )
    }
    guard !columns.contains(where: \.isComputed),
      !columns.compactMap(\.standard).contains(where: { Self.mayContain(pattern, $0) })
    else { return nil }
    // SQLite may read the rows of a table from an index with all columns, in its order. The order
    // is only shown for a table without a key, as the number of the row.
    if !columns.contains(where: \.isKey) {
      let indexes = "SELECT 1 FROM pragma_index_list(\(table))" as SQL
      guard try connection.fetchOne(indexes, { _ in true }) == nil else { return nil }
    }
    let names = Set(columns.map { $0.name.folded })
    guard let rowIDName = ["rowid", "_rowid_", "oid"].first(where: { !names.contains($0.folded) })
    else { return nil }
    self.pages = pages
    self.rootPage = rootPage
    self.rowIDName = rowIDName
  }

  /// Returns whether the value of an SQL literal may contain the pattern.
  ///
  /// The rows before `ALTER TABLE … ADD COLUMN` do not store the default value of the column.
  private static func mayContain(_ pattern: BytePattern, _ literal: String) -> Bool {
    let marks = "'\"".utf8
    let markCount = literal.utf8.count { marks.contains($0) }
    // Other literals contain a blob in hexadecimal, or a quotation mark that is written twice.
    let isPlain =
      markCount == 0 || markCount == 2 && literal.utf8.first.map(marks.contains) ?? false
    var searcher = ByteSearcher(pattern)
    return !isPlain || searcher.offset(in: literal) != nil
  }
}
