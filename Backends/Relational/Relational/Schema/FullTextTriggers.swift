import UndercroftCore
import UndercroftSQLite

/// The triggers that update the full-text companion of a table, and the log that they need for `REPLACE`.
///
/// `REPLACE` deletes rows without calling delete triggers unless `recursive_triggers` is on, and after it the old texts,
/// which FTS5 needs to remove an entry, are gone. So a trigger before each insert or update copies the rows that it may
/// replace into the log, and the trigger after it removes the entries of those that were replaced. The log is empty
/// otherwise. All of this holds with and without recursive triggers, since a delete trigger removes its row from the log.
struct FullTextTriggers {
  private let search: FullTextDefinition
  private let key: String
  private let uniqueSets: [UniqueSet]
  /// Names as SQL: of the table, of its companion and of the log.
  private let (table, companion, log): (String, String, String)

  init(
    _ table: TableDefinition, _ search: FullTextDefinition, key: String, _ uniqueSets: [UniqueSet]
  ) {
    (self.search, self.key, self.uniqueSets) = (search, key, uniqueSets)
    self.table = table.quotedName
    companion = search.companionName.asName
    log = Self.name(search, "replaced").asName
  }

  /// The name of a trigger, or of the log, of a companion.
  static func name(_ search: FullTextDefinition, _ part: String) -> String {
    "\(IndexNames.prefix)\(search.companionName).\(part)"
  }

  /// Drops a log that was left behind by a table that was dropped by hand.
  var dropLog: String { "DROP TABLE IF EXISTS \(log)" }

  /// The statements that create the log and the triggers, by which a companion is known to be one.
  var statements: [String] {
    let places = search.columns.indices.map { "text\($0)" }
    return [
      "CREATE TABLE \(log)(number, \(places.joined(separator: ", ")))",
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
      "CREATE TRIGGER \(Self.name(search, part).asName) \(event) ON \(table)\(condition) BEGIN \(body) END"
  }

  // MARK: Rows that may be replaced

  /// Copies the rows that have the key, or the values of a unique set, of the row that is about to be written.
  private func logging(_ condition: String = "") -> String {
    let sets = uniqueSets.map { set in
      set.parts.map { part in
        let column = part.column.text.asName
        return "\(column) = new.\(column) COLLATE \(part.collation.text.asName)"
      }
      .joined(separator: " AND ")
    }
    let columns = SchemaText.list([key] + search.columns)
    let copies = (["\(quotedKey) = new.\(quotedKey)"] + sets).map { isSame in
      "INSERT INTO \(log) SELECT \(columns) FROM \(table) WHERE \(isSame)\(condition);"
    }
    return "\(emptyingLog) \(copies.joined(separator: " "))"
  }

  /// Removes the entries of rows that were copied and are gone, or have been written over.
  private func removingReplaced(_ isWrittenOver: String) -> String {
    let places = search.columns.indices.map { "text\($0)" }
    return """
      INSERT INTO \(companion)(\(companion), rowid, \(columns)) \
      SELECT DISTINCT 'delete', number, \(places.joined(separator: ", ")) FROM \(log) \
      WHERE \(isWrittenOver) \
      OR NOT EXISTS (SELECT 1 FROM \(table) WHERE \(table).\(quotedKey) = \(log).number); \
      \(emptyingLog)
      """
  }

  // With a condition: without one SQLite would write the page of an empty table again.
  private var emptyingLog: String { "DELETE FROM \(log) WHERE true;" }

  // MARK: Entries

  private var adding: String {
    "INSERT INTO \(companion)(rowid, \(columns)) VALUES (\(values("new")));"
  }

  private var addingChanged: String {
    "INSERT INTO \(companion)(rowid, \(columns)) SELECT \(values("new")) WHERE \(isChanged);"
  }

  /// Such a table removes the entry of a row when it is given the texts that it has indexed.
  private var removing: String {
    "INSERT INTO \(companion)(\(companion), rowid, \(columns)) SELECT 'delete', \(values("old"))"
  }

  private var columns: String { SchemaText.list(search.columns) }

  private var quotedKey: String { key.asName }

  private func values(_ row: String) -> String {
    ([key] + search.columns).map { "\(row).\($0.asName)" }.joined(separator: ", ")
  }

  private var isChanged: String { differs([key] + search.columns) }

  /// The columns by which a row may replace another.
  private var identifying: [String] {
    var names = [key]
    for part in uniqueSets.flatMap(\.parts)
    where !names.contains(where: { $0.folded == part.column.text.folded }) {
      names.append(part.column.text)
    }
    return names
  }

  /// Byte by byte, whatever the collation of a column.
  private func differs(_ names: [String]) -> String {
    names.map { name in
      let name = name.asName
      return "old.\(name) IS NOT new.\(name) COLLATE BINARY"
    }
    .joined(separator: " OR ")
  }
}
