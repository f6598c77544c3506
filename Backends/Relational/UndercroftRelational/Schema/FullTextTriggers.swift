import UndercroftCore
import UndercroftSQLite

/// The triggers that update the FTS5 table of a declared table, and the log table that the triggers
/// need for `REPLACE`.
///
/// `REPLACE` deletes rows without running delete triggers unless `recursive_triggers` is on. After
/// the `REPLACE`, the old text, which FTS5 needs to remove an entry, no longer exists. Therefore a
/// trigger before each insert or update copies to the log the rows that the statement can replace.
/// The trigger after the insert or update removes the entries of the rows that were replaced, and
/// empties the log. Between two statements the log is empty, unless `INSERT OR IGNORE` has skipped
/// a row. The log then contains copies of the rows that were left in place. The next insert or
/// update removes these copies. With `recursive_triggers` on, the delete trigger removes the entry
/// of the replaced row, and then removes the row from the log. The trigger after the insert or
/// update therefore does not remove the same entry again.
struct FullTextTriggers {
  private let search: FullTextDefinition
  private let key: String
  private let uniqueSets: [UniqueSet]
  /// The quoted names of the table, of its FTS5 table, and of the log.
  private let (table, companion, log): (String, String, String)

  init(
    _ table: TableDefinition, _ search: FullTextDefinition, key: String, _ uniqueSets: [UniqueSet]
  ) {
    (self.search, self.key, self.uniqueSets) = (search, key, uniqueSets)
    self.table = table.quotedName
    companion = search.companionName.quotedIdentifier
    log = Self.name(search, "replaced").quotedIdentifier
  }

  /// Returns the name of a trigger of the FTS5 table, or of its log table.
  ///
  /// - Parameters:
  ///   - search: The full-text index of the FTS5 table.
  ///   - part: The last part of the name, such as `insert`, or `replaced` for the log table.
  static func name(_ search: FullTextDefinition, _ part: String) -> String {
    "\(IndexNames.prefix)\(search.companionName).\(part)"
  }

  /// The statement that drops a log table that remained after raw SQL dropped the indexed table.
  var dropLog: String { "DROP TABLE IF EXISTS \(log)" }

  /// The statements that create the log table and the triggers.
  ///
  /// The file is up to date if its schema contains exactly these statements.
  var statements: [String] {
    let textColumns = search.columns.indices.map { "text\($0)" }
    return [
      "CREATE TABLE \(log)(number, \(textColumns.joined(separator: ", ")))",
      trigger("inserting", "BEFORE INSERT", when: nil, logging()),
      trigger(
        "insert", "AFTER INSERT", when: nil,
        "\(removingReplaced("number = new.\(quotedKey)")) \(adding)"),
      trigger(
        "delete", "AFTER DELETE", when: nil,
        "\(removing); DELETE FROM \(log) WHERE number = old.\(quotedKey);"),
      trigger(
        "updating", "BEFORE UPDATE", when: differs(identifying),
        logging(" AND \(quotedKey) <> old.\(quotedKey)")),
      trigger(
        "update", "AFTER UPDATE", when: "\(isChanged) OR EXISTS (SELECT 1 FROM \(log))",
        """
        \(removingReplaced("number = new.\(quotedKey) AND number <> old.\(quotedKey)")) \
        \(removing) WHERE \(isChanged); \(addingChanged)
        """),
    ]
  }

  private func trigger(_ part: String, _ event: String, when: String?, _ body: String) -> String {
    let condition = when.map { " WHEN \($0)" } ?? ""
    return
      "CREATE TRIGGER \(Self.name(search, part).quotedIdentifier) \(event) ON \(table)\(condition) BEGIN \(body) END"
  }

  // MARK: Rows that may be replaced

  /// Returns the statements that empty the log, and then copy to the log the rows that a write can
  /// replace.
  ///
  /// These rows have the same key as the written row, or the same values in the columns of a unique
  /// constraint or unique index.
  ///
  /// - Parameter condition: A further condition of the copied rows, starting with `AND`, or an
  ///   empty string.
  private func logging(_ condition: String = "") -> String {
    let sets = uniqueSets.map { set in
      set.parts.map { part in
        let column = part.column.text.quotedIdentifier
        return "\(column) = new.\(column) COLLATE \(part.collation.text.quotedIdentifier)"
      }
      .joined(separator: " AND ")
    }
    let columns = DDLBuilder.list([key] + search.columns)
    let copies = (["\(quotedKey) = new.\(quotedKey)"] + sets).map { isSame in
      "INSERT INTO \(log) SELECT \(columns) FROM \(table) WHERE \(isSame)\(condition);"
    }
    return "\(emptyingLog) \(copies.joined(separator: " "))"
  }

  /// Returns the statements that update the FTS5 table after a write, and then empty the log.
  ///
  /// The statements remove the FTS5 entries of logged rows that no longer exist or were
  /// overwritten.
  ///
  /// - Parameter isWrittenOver: A condition in SQL that is true for the logged rows that were
  ///   overwritten.
  private func removingReplaced(_ isWrittenOver: String) -> String {
    let textColumns = search.columns.indices.map { "text\($0)" }
    return """
      INSERT INTO \(companion)(\(companion), rowid, \(columns)) \
      SELECT DISTINCT 'delete', number, \(textColumns.joined(separator: ", ")) FROM \(log) \
      WHERE \(isWrittenOver) \
      OR NOT EXISTS (SELECT 1 FROM \(table) WHERE \(table).\(quotedKey) = \(log).number); \
      \(emptyingLog)
      """
  }

  // The condition `WHERE true` disables the truncate optimization of SQLite, which would rewrite
  // the page of an empty table.
  private var emptyingLog: String { "DELETE FROM \(log) WHERE true;" }

  // MARK: Entries

  private var adding: String {
    "INSERT INTO \(companion)(rowid, \(columns)) VALUES (\(values("new")));"
  }

  private var addingChanged: String {
    "INSERT INTO \(companion)(rowid, \(columns)) SELECT \(values("new")) WHERE \(isChanged);"
  }

  /// A statement that removes the FTS5 entry of the row `old`.
  ///
  /// A `WHERE` clause can be appended to the statement. FTS5 needs the indexed text to remove an
  /// entry.
  private var removing: String {
    "INSERT INTO \(companion)(\(companion), rowid, \(columns)) SELECT 'delete', \(values("old"))"
  }

  private var columns: String { DDLBuilder.list(search.columns) }

  private var quotedKey: String { key.quotedIdentifier }

  private func values(_ row: String) -> String {
    ([key] + search.columns).map { "\(row).\($0.quotedIdentifier)" }.joined(separator: ", ")
  }

  private var isChanged: String { differs([key] + search.columns) }

  /// The columns whose values can cause a row to replace another row.
  private var identifying: [String] {
    var names = [key]
    for part in uniqueSets.flatMap(\.parts)
    where !names.contains(where: { $0.folded == part.column.text.folded }) {
      names.append(part.column.text)
    }
    return names
  }

  /// Returns a condition that is true if one of the columns has changed.
  ///
  /// Values are compared by their bytes, regardless of the collation of the column.
  private func differs(_ names: [String]) -> String {
    names.map { name in
      let name = name.quotedIdentifier
      return "old.\(name) IS NOT new.\(name) COLLATE BINARY"
    }
    .joined(separator: " OR ")
  }
}
