import UndercroftCore
import UndercroftSQLite

/// The rows of a table, written as `INSERT` statements.
struct SeedRows {
  private let table: String

  init(_ table: String) { self.table = table }

  /// Returns the `INSERT` statements for the rows of an ordinary table.
  ///
  /// - Parameter sql: the statement that created the table.
  func ofTable(_ sql: String, in db: Connection) throws -> String {
    let columns = try db.columns(of: table).filter { !$0.isGenerated }
    let names = columns.map(\.name)
    let name = SQL("\(identifier: table)")
    let options = CreateTableStatement(sql)?.options ?? []
    if options.contains(where: { $0.isWord("without") }) {
      let keys = columns.filter { $0.primaryKeyPosition > 0 }
        .sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }
      let order = keys.map { "\(identifier: $0.name)" as SQL }.joined(separator: ", ")
      return try lines(names, "SELECT \(Self.list(names)) FROM \(name) ORDER BY \(order)", in: db)
    }
    let columnNames = Set(try db.columns(of: table).map(\.name.folded))
    guard let rowID = ["rowid", "_rowid_", "oid"].first(where: { !columnNames.contains($0.exact) })
    else {
      return try lines(names, "SELECT \(Self.list(names)) FROM \(name) NOT INDEXED", in: db)
    }
    // Write the rowids, unless a column contains them or SQLite would assign the same rowids again.
    let number: SQL = "\(identifier: rowID)"
    let writesRowID = try !hasKey(columns, in: db) && !isNumbered(number, in: db)
    let all = writesRowID ? [rowID] + names : names
    return try lines(all, "SELECT \(Self.list(all)) FROM \(name) ORDER BY \(number)", in: db)
  }

  func ofVirtualTable(isFullText: Bool, in db: Connection) throws -> String {
    let names = try db.columns(of: table).map(\.name)
    let all = isFullText && !names.contains { $0.folded == "rowid" } ? ["rowid"] + names : names
    return try lines(
      all, "SELECT \(Self.list(all)) FROM \(identifier: table) ORDER BY rowid", in: db)
  }

  /// Returns the statements that set the configuration of a full-text
  /// table. (FTS5, "Special INSERT Commands")
  func settings(in db: Connection) throws -> String {
    let config = "\(table)_config"
    guard try db.tableExists(config) else { return "" }
    let name = SQL("\(identifier: table)").text
    let rows: SQL = "SELECT k, v FROM \(identifier: config) WHERE k <> 'version' ORDER BY k"
    return try db.fetchAll(rows) { row in
      let (key, value): (SQLValue, SQLValue) = (try row[0], try row[1])
      return """
        INSERT INTO \(name)(\(name), rank) VALUES (\(SQLLiteralWriter.literal(key)), \(SQLLiteralWriter.literal(value)));\n
        """
    }.joined()
  }

  func requireNone(in db: Connection) throws {
    guard try db.fetchOne("SELECT 1 FROM \(identifier: table)", { _ in true }) != nil else {
      return
    }
    throw StorageError.schema(
      cannot: "export the rows of \(quoted(table)) as SQL statements",
      "the table is a contentless full-text table, which stores only an index",
      suggestion: """
        leave the full-text table empty in the schema, and fill the table after the schema has \
        been created
        """,
      as: .notSupported)
  }

  /// Returns whether one of the columns is an alias of the rowid (`INTEGER PRIMARY KEY`).
  private func hasKey(_ columns: [SchemaColumn], in db: Connection) throws -> Bool {
    let keys = columns.filter { $0.primaryKeyPosition > 0 }
    guard keys.count == 1, keys[0].type.folded == "integer" else { return false }
    let index: SQL = "SELECT 1 FROM pragma_index_list(\(table), 'main') WHERE origin = 'pk'"
    return try db.fetchOne(index) { _ in true } == nil
  }

  /// Returns whether the rowids of the table are 1, 2, 3 and so on, without gaps.
  ///
  /// - Parameter number: a name of the rowid that is not the name of a column.
  private func isNumbered(_ number: SQL, in db: Connection) throws -> Bool {
    let numbers: SQL = """
      SELECT ifnull(min(\(number)), 1) = 1 AND ifnull(max(\(number)), 0) = count(*)
      FROM \(identifier: table)
      """
    return try db.fetchValue(numbers)
  }

  private func lines(
    _ columns: [String], _ sql: SQL, in db: Connection
  ) throws -> String {
    let start =
      "INSERT INTO \(SQL("\(identifier: table)").text) (\(Self.list(columns).text)) VALUES ("
    var lines = ""
    // `RealLiteralWriter` lets SQLite read each number, so that the shortest exact form is written.
    var reals = RealLiteralWriter()
    try db.forEach(sql) { row in
      lines += start
      for index in 0..<row.count {
        if index > 0 { lines += ", " }
        let column = try row.column(index)
        if column.type == .text, (try? column.text()) == nil {
          lines += SQLLiteralWriter.literal(invalidText: column.bytes)
          continue
        }
        let value: SQLValue = try row[index]
        if case .real(let number) = value {
          lines += try reals.literal(number, db)
        } else {
          lines += SQLLiteralWriter.literal(value)
        }
      }
      lines += ");\n"
    }
    return lines
  }

  private static func list(_ names: [String]) -> SQL {
    names.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
  }
}
