import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// The indexes and full-text tables that a file of some version
/// may contain because the application declares tables in Swift.
///
/// A golden schema does not contain these objects, because they are created when a declared table
/// is first used. The declarations of old releases are unknown. So an index is assumed for every
/// column and for every pair of adjacent columns, and full-text search for every text column.
struct DeclaredObjects {
  /// The tables and columns for which, according to the application, no release
  /// declared an index or full-text search.
  let undeclared: IntendedChanges
  /// The names of the objects of all golden schemas, in lower case.
  ///
  /// These objects are not created again, because a table declared in Swift does not create an
  /// object whose name exists already.
  let existingNames: Set<ExactString>

  /// Creates an index on every column and on every pair of adjacent columns and, for each table
  /// with one integer key, a full-text table over all text columns.
  ///
  /// Tables and columns in ``undeclared`` are skipped, and so are objects in ``existingNames``.
  func create(in db: Connection) throws {
    for table in try DatabaseSchema(of: db).objects
    where table.kind == .table && !table.isDeclared && VirtualTable(table) == nil
      && !undeclared.covers(table.name)
    {
      let columns = try db.columns(of: table.name).filter {
        !undeclared.covers($0.name, of: table.name)
      }
      try createIndexes(of: table.name, columns.map(\.name), in: db)
      try createFullTextTable(of: table.name, columns, in: db)
    }
  }

  private func createIndexes(
    of table: String, _ columns: [String], in db: Connection
  ) throws {
    let pairs = zip(columns, columns.dropFirst()).map { [$0, $1] }
    for indexed in columns.map({ [$0] }) + pairs {
      let name = SchemaObject.declaredPrefix + ([table] + indexed).joined(separator: ".")
      if existingNames.contains(name.folded) { continue }
      let list = indexed.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
      try db.execute("CREATE INDEX \(identifier: name) ON \(identifier: table)(\(list))")
    }
  }

  private func createFullTextTable(
    of table: String, _ columns: [SchemaColumn], in db: Connection
  ) throws {
    let name = "\(table)_search"
    let keys = columns.filter { $0.primaryKeyPosition > 0 }
    let searched = columns.filter { $0.primaryKeyPosition == 0 && $0.type.folded == "text" }
    guard let key = keys.first, keys.count == 1, key.type.folded == "integer",
      !searched.isEmpty, !existingNames.contains(name.folded)
    else { return }
    let list = searched.map(\.name.quotedIdentifier).joined(separator: ", ")
    func values(_ row: String) -> String {
      ([key.name] + searched.map(\.name)).map { "\(row).\($0.quotedIdentifier)" }.joined(
        separator: ", ")
    }
    let insert = "INSERT INTO \(name.quotedIdentifier)(rowid, \(list)) VALUES (\(values("new")));"
    let delete = """
      INSERT INTO \(name.quotedIdentifier)(\(name.quotedIdentifier), rowid, \(list)) VALUES ('delete', \(values("old")));
      """
    let trigger = { (event: String, statements: String) in
      let trigger = "\(SchemaObject.declaredPrefix)\(name).\(event)".quotedIdentifier
      return
        "CREATE TRIGGER \(trigger) AFTER \(event) ON \(table.quotedIdentifier) BEGIN \(statements) END;"
    }
    try db.executeScript(
      SQL(
        unchecked: """
          CREATE VIRTUAL TABLE \(name.quotedIdentifier) USING fts5(
            \(list), content=\(table.quotedLiteral), content_rowid=\(key.name.quotedLiteral));
          INSERT INTO \(name.quotedIdentifier)(\(name.quotedIdentifier)) VALUES ('rebuild');
          \(trigger("insert", insert)) \(trigger("delete", delete))
          \(trigger("update", delete + " " + insert))
          """))
  }
}
