import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// A table in whose pages the rows with a text can be found.
///
/// In such a table, each value that contains the text is stored as the same bytes.
struct ScannableTable {
  let pages: DatabasePages
  let rootPage: UInt32
  /// The name of the rowid that is not the name of a column.
  let rowIDName: String

  /// Returns `nil` if a value or the order of the rows could differ from what the pages contain.
  ///
  /// A transaction must be open.
  init?(_ table: String, _ filter: ValueFilter, in connection: Connection) throws {
    let pattern = filter.pattern
    guard !pattern.mayMatchNumbers, pattern.count <= OverflowSearch.maximumPatternSize else {
      return nil
    }
    let root = try connection.fetchOne(
      """
      SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = \(table) COLLATE NOCASE
      """
    ) { row in try row[0] as Int64 }
    // A virtual table has no pages. The page 1 begins with the header of the database.
    guard let root, root > 1, let rootPage = UInt32(exactly: root),
      // The file object does not present the pages in a write-ahead log that SQLite itself reads.
      try connection.fetchOne("PRAGMA journal_mode", { row in try row[0] as String }) != "wal",
      let pages = DatabasePages(of: connection), pages.isUTF8,
      try Self.isReadInOrder(table, in: connection),
      let rowIDName = Self.rowIDName(of: table, pattern, in: connection)
    else { return nil }
    self.pages = pages
    self.rootPage = rootPage
    self.rowIDName = rowIDName
  }

  /// Returns whether SQLite reads the rows of a table in the order of their rowids.
  ///
  /// SQLite may read the rows from an index that contains all columns, in the order of the index.
  private static func isReadInOrder(_ table: String, in connection: Connection) throws -> Bool {
    let steps = try connection.fetchAll(
      "EXPLAIN QUERY PLAN SELECT * FROM \(identifier: table)"
    ) { row in try row[3] as String }
    guard let step = steps.first, steps.count == 1 else { return false }
    // SQLite 3.35 and earlier write the word TABLE.
    return ["SCAN \(table)", "SCAN TABLE \(table)"].contains { step.isExactly($0) }
  }

  /// Returns the name of the rowid, or `nil` if there is no rowid, if columns hide all its names,
  /// or if a value that is not stored may contain the pattern.
  private static func rowIDName(
    of table: String, _ pattern: BytePattern, in connection: Connection
  ) -> String? {
    // Names and literals that are not UTF-8 cannot be read.
    let columns = try? connection.fetchAll(
      "SELECT name, dflt_value, hidden FROM pragma_table_xinfo(\(table))"
    ) { row in
      (
        name: try row[0] as String, defaultValue: try row[1] as String?,
        isComputed: try row[2] as Int == 2
      )
    }
    guard let columns, !columns.contains(where: \.isComputed),
      !columns.compactMap(\.defaultValue).contains(where: { mayContain(pattern, $0) })
    else { return nil }
    let names = Set(columns.map { $0.name.folded })
    let name = ["rowid", "_rowid_", "oid"].first { !names.contains($0.folded) }
    // A table that was created WITHOUT ROWID has no such column.
    return name.flatMap { name in
      let sql: SQL = "SELECT \(identifier: name) FROM \(identifier: table) LIMIT 0"
      return (try? connection.prepare(sql) { _ in }) == nil ? nil : name
    }
  }

  /// Returns whether the value of an SQL literal may contain the pattern.
  ///
  /// The rows before `ALTER TABLE … ADD COLUMN` do not store the default value of the column.
  private static func mayContain(_ pattern: BytePattern, _ literal: String) -> Bool {
    let marks = "'\"`".utf8
    let markCount = literal.utf8.count { marks.contains($0) }
    // Other literals contain a blob in hexadecimal, or a quotation mark that is written twice.
    let isPlain =
      markCount == 0 || markCount == 2 && literal.utf8.first.map(marks.contains) ?? false
    var searcher = ByteSearcher(pattern)
    return !isPlain || searcher.offset(in: literal) != nil
  }
}
