import UndercroftCore
import UndercroftSQLite

/// A builder of the script that creates a database from nothing.
struct SchemaScript {
  private(set) var text = ""
  /// Whether the script sets the numbers in the header of the database.
  private let includesHeader: Bool

  /// Creates an empty script for a part of a database.
  init() { includesHeader = false }

  init(version: String?) {
    let subject = version.map { "Version \(quoted($0)) of the schema, frozen: do not edit." }
    text = """
      -- \(subject ?? "The schema of a database.")
      -- To be run in one transaction, on an empty database.

      """
    includesHeader = true
  }

  mutating func write(
    _ objects: [SchemaObject], of db: Connection, includesRows: Bool
  ) throws {
    if includesHeader { try writeHeader(of: db) }
    let tables = objects.filter { $0.kind == .table }
    for table in tables { try add(table) }
    let rebuilt = includesRows ? try writeRows(of: tables, in: db) : []
    for object in objects where object.kind != .table { try add(object) }
    // Full-text tables may read their text from a view, so they are
    // filled after all views are created.
    for table in rebuilt {
      let name = SQL("\(identifier: table.name)").text
      add("INSERT INTO \(name)(\(name)) VALUES ('rebuild')")
    }
  }

  /// Appends a generated statement, such as an `INSERT`, followed by a semicolon.
  ///
  /// `add(_:)` for a ``SchemaObject`` appends a statement that the schema stores.
  mutating func add(_ statement: String) { text += statement + ";\n" }

  private mutating func add(_ object: SchemaObject) throws(StorageError) {
    guard let sql = object.sql else { return }
    text += try StoredStatement(sql, of: object).ended()
  }

  /// Writes the application ID and the user version of the database header, because applications
  /// use them as a part of their file format.
  private mutating func writeHeader(of db: Connection) throws(StorageError) {
    let (version, application) = (try db.userVersion(), try db.applicationID())
    if application != 0 { add("PRAGMA application_id = \(application)") }
    if version != 0 { add("PRAGMA user_version = \(version)") }
  }

  /// Writes the rows of all tables, and returns the full-text tables that must be filled from the
  /// tables that store their text.
  ///
  /// If there are no rows to write, returns an empty array.
  private mutating func writeRows(
    of tables: [SchemaObject], in db: Connection
  ) throws -> [SchemaObject] {
    var rebuilt: [SchemaObject] = []
    var rows = ""
    for table in tables {
      let lines = SeedRows(table.name)
      guard let virtual = VirtualTable(table) else {
        rows += try lines.ofTable(table.sql ?? "", in: db)
        continue
      }
      switch virtual.rows {
      case .internalContent:
        if virtual.module == "fts5" { rows += try lines.settings(in: db) }
        rows += try lines.ofVirtualTable(isFullText: virtual.isFullText, in: db)
      case .externalContent:
        if virtual.module == "fts5" { rows += try lines.settings(in: db) }
        rebuilt.append(table)
      case .contentless:
        if virtual.module == "fts5" { rows += try lines.settings(in: db) }
        try lines.requireNone(in: db)
      case .unknown: break
      }
    }
    rows += try SeedRows.sequences(of: tables, in: db)
    if rows.isEmpty { return [] }
    // Rows may come before the rows that they refer to.
    text += "PRAGMA defer_foreign_keys = ON;\n" + rows
    return rebuilt
  }
}
