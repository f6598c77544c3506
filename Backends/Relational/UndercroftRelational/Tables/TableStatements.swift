import Synchronization
import UndercroftCore
import UndercroftSQLite

/// The parts of SQL statements that are derived from a declaration once, and then used by all
/// writes to the table.
///
/// The statements that insert, update or delete a whole record are built in advance. A statement
/// that writes only some of the columns is built at its first use. The last upsert and the last 8
/// updates by key are cached. See ``ReadStatements`` for the statements that read.
final class TableStatements: Sendable {
  /// The indices of the columns of the primary key.
  let keyColumnIndices: [Int]
  /// The indices of the columns that are written and are not part of the primary key.
  let valueColumnIndices: [Int]
  /// Whether SQLite generates a missing key.
  ///
  /// SQLite generates a missing key if the primary key is a single integer column of a table with a
  /// rowid.
  let isKeyGenerated: Bool
  /// The `RETURNING` clause that returns all columns of the written rows.
  let returning: String
  let insertReturning: String
  /// The statement that updates all columns, except the key, of the row with a given primary key.
  ///
  /// The placeholders are the columns `valueColumnIndices`, followed by the columns
  /// `keyColumnIndices`.
  let update: String
  let updateReturning: String
  let delete: String
  /// The beginning of every `UPDATE` statement, and the condition that selects a row by a primary
  /// key of one column.
  let (setting, byKey): (SQL, SQL)
  /// The quoted names of the columns, each qualified by the name of the table: `"book"."title"`.
  let qualified: [SQL]
  /// The counter that limits the check for swapped columns to the first 16 inserted records.
  ///
  /// The check detects two columns of the same type that are declared in the wrong order.
  let orderCheck = OrderCheck()
  private let columnIndices: [ExactString: Int]
  private let lastUpsert = Mutex<Upsert?>(nil)
  private let lastSettings = Mutex<[Setting]>([])

  init(_ table: TableDefinition) {
    let keys = table.columns.indices.filter { table.columns[$0].isPrimaryKey }
    keyColumnIndices = keys
    valueColumnIndices = table.writtenColumnIndices.filter { !keys.contains($0) }
    isKeyGenerated = table.rowIDColumn != nil
    returning = " RETURNING \(table.columnList)"
    insertReturning = table.insertion + returning
    update = DMLBuilder.update(table, valueColumnIndices, where: keys)
    updateReturning = update + returning
    delete = DMLBuilder.delete(from: table, where: keys)
    setting = SQL(unchecked: "UPDATE \(table.quotedName) SET ")
    byKey = SQL(unchecked: " WHERE \(DMLBuilder.names(keys, of: table)) = ")
    qualified = table.columns.map { column in
      SQL(unchecked: "\(table.quotedName).\(column.name.quotedIdentifier)")
    }
    columnIndices = Dictionary(
      table.columns.indices.map { (SQLName.folded(table.columns[$0].name), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the index of the column with the given name, ignoring the case of ASCII letters as
  /// SQLite does.
  func columnIndex(of name: String, in table: TableDefinition) throws(StorageError) -> Int {
    if let columnIndex = columnIndices[SQLName.folded(name)] { return columnIndex }
    throw StorageError.table(
      "cannot write to the table \(quoted(table.name)): it has no column \(quoted(name))",
      suggestion: """
        choose one of the columns of the table: \
        \(table.columns.map { quoted($0.name) }.joined(separator: ", "))
        """)
  }

  private struct Setting {
    let columnIndices: [Int]
    let text: String

    func isOf(_ assignments: [Assignment]) -> Bool {
      columnIndices.elementsEqual(assignments.lazy.map(\.columnIndex))
    }
  }

  /// Returns the statement that sets the assigned columns of the row with a given key to bound
  /// values, or `nil` if an assigned value is an expression.
  ///
  /// The last 8 statements are cached.
  func setting(_ assignments: [Assignment], of table: TableDefinition) -> String? {
    for assignment in assignments where assignment.computed != nil { return nil }
    return lastSettings.withLock { settings in
      for setting in settings where setting.isOf(assignments) { return setting.text }
      let columnIndices = assignments.map(\.columnIndex)
      let changes = columnIndices.map { "\(DMLBuilder.names([$0], of: table)) = ?" }
      let text = "\(self.setting.text)\(changes.joined(separator: ", "))\(byKey.text)?"
      if settings.count == 8 { settings.removeFirst() }
      settings.append(Setting(columnIndices: columnIndices, text: text))
      return text
    }
  }

  /// Returns column values, keyed by the index of each column instead of its name.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if a name is not a column, or if two names that differ
  ///   only in case are the same column in SQLite.
  func values(
    _ values: ColumnValues, of table: TableDefinition
  ) throws(StorageError) -> [Int: SQLValue] {
    var found: [Int: SQLValue] = [:]
    for (name, value) in values.values {
      let previous = found.updateValue(value, forKey: try columnIndex(of: name.text, in: table))
      guard previous == nil else {
        throw StorageError.table(
          """
          cannot write to the table \(quoted(table.name)): the record has two values for the \
          column \(quoted(name.text)), under names that differ only in case, which SQLite ignores
          """,
          suggestion: "remove one of these two values from the record")
      }
    }
    return found
  }

  /// The statement of an upsert, without and with a `RETURNING` clause.
  struct Upsert {
    fileprivate let columns: [[Int]]
    let plain, returning: String
  }

  /// Returns the statement that inserts or updates a row.
  ///
  /// The last statement is cached.
  ///
  /// - Parameters:
  ///   - table: The table to write to.
  ///   - columnIndices: The columns to insert.
  ///   - updating: The columns to update in an existing row.
  ///   - targets: The sets of columns by which an existing row is found.
  func upsert(
    into table: TableDefinition, _ columnIndices: [Int], updating: [Int], on targets: [[Int]]
  ) -> Upsert {
    let columns = [columnIndices, updating] + targets
    if let last = lastUpsert.withLock({ $0 }), last.columns == columns { return last }
    let text = DMLBuilder.upsert(into: table, columnIndices, updating: updating, on: targets)
    let upsert = Upsert(columns: columns, plain: text, returning: text + returning)
    lastUpsert.withLock { $0 = upsert }
    return upsert
  }
}
