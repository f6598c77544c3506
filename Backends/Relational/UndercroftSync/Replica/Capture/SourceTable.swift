import UndercroftCore
import UndercroftSQLite

/// A table of the application, as its schema defines it, whose changes can be captured.
struct SourceTable {
  struct Column: Hashable {
    let name: String
    let affinity: ColumnAffinity
  }

  struct ForeignKey: Hashable {
    let column: String
    let table: String
    /// The referenced column, or `nil` for the primary key.
    let referencedColumn: String?
  }

  /// The name as the schema spells it.
  let name: String
  let keyColumn: String
  let identity: CapturedTable.Identity
  /// Whether the key is the rowid, so that every key is an integer.
  let keyIsRowID: Bool
  /// The columns other than the key and generated columns.
  let columns: [Column]
  /// All columns, including the key and generated ones.
  let allColumns: [String]
  let uniqueIndexes: [UniqueIndex]
  /// The foreign keys that consist of a single column.
  let foreignKeys: [ForeignKey]

  func column(_ name: String) -> Column? { columns.first { $0.name.folded == name.folded } }

  /// Returns the reason why ``columns`` does not contain a column, for error messages.
  func obstacle(toSynchronising column: String) -> String {
    if keyColumn.folded == column.folded { return "the column is the primary key" }
    let exists = allColumns.contains { $0.folded == column.folded }
    return exists ? "the column is generated" : "the table has no such column"
  }
}

extension SourceTable {
  /// Reads the definition of a table.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` for a table whose changes cannot be captured.
  init(_ name: String, in db: Connection) throws {
    let found = try db.fetchOne(
      """
      SELECT name, type, wr, strict FROM pragma_table_list
      WHERE schema = 'main' AND name = \(name) COLLATE NOCASE
      """
    ) { row in
      (name: try row[0] as String, kind: try row[1] as String, isStrict: try row[3] as Bool)
    }
    guard let found else {
      throw StorageError.cannotCapture(
        name, "the main database has no table with this name",
        suggestion: """
          correct the spelling, or create the table in the main database before you create the \
          SyncEngine
          """)
    }
    guard found.kind == "table" else {
      throw StorageError.cannotCapture(
        name,
        """
        the name denotes a \(found.kind)\(found.kind == "view" ? "" : " table"), but changes can be \
        captured only in ordinary tables
        """,
        suggestion: found.kind == "view"
          ? "synchronise the tables from which the view reads"
          : "store the rows in an ordinary table, and synchronise that table")
    }
    guard !found.name.folded.begins(with: "sync_") else {
      throw StorageError.cannotCapture(
        name, "names that begin with \"sync_\" are reserved for the tables of the library",
        suggestion: """
          rename the table with ALTER TABLE … RENAME TO, or, if the library created the table, \
          remove the name from the tables of the SyncEngine
          """)
    }
    let schema = try db.columns(of: found.name)
    let keys = schema.filter { $0.primaryKeyPosition > 0 }
    guard let key = keys.first, keys.count == 1 else {
      let names = keys.map { quoted($0.name) }.joined(separator: ", ")
      throw StorageError.cannotCapture(
        name,
        keys.isEmpty
          ? "the table has no primary key"
          : "the primary key has several columns (\(names)), but only one column is supported",
        suggestion: """
          create the table again with a primary key of one column, for example a UUID as TEXT
          """)
    }
    let affinity = ColumnAffinity(ofType: key.type, inStrictTable: found.isStrict)
    self.name = found.name
    keyColumn = key.name
    identity = try Self.identity(of: name, key: key.name, type: key.type, affinity)
    let hasKeyIndex = try db.fetchValue(
      "SELECT count(*) FROM pragma_index_list(\(found.name), 'main') WHERE origin = 'pk'",
      as: Int.self)
    keyIsRowID = hasKeyIndex == 0
    columns = schema.filter { !$0.isGenerated && $0.primaryKeyPosition == 0 }.map {
      Column(
        name: $0.name,
        affinity: ColumnAffinity(ofType: $0.type, inStrictTable: found.isStrict))
    }
    allColumns = schema.map(\.name)
    uniqueIndexes = try UniqueIndex.all(of: found.name, in: db)
    foreignKeys = try Self.foreignKeys(of: found.name, in: db)
  }

  private static func identity(
    of table: String, key: String, type: String, _ affinity: ColumnAffinity
  ) throws -> CapturedTable.Identity {
    switch affinity {
    case .integer: return .integer
    case .text: return .text
    case .blob: return .blob
    case .real, .numeric:
      throw StorageError.cannotCapture(
        table,
        """
        the primary key \(quoted(key)) has the type \(quoted(type)), but only primary keys of the \
        types TEXT, BLOB and INTEGER are supported
        """,
        suggestion: """
          create the table again with a primary key of one of these types, for example a UUID as \
          TEXT
          """)
    }
  }

  private static func foreignKeys(of table: String, in db: Connection) throws -> [ForeignKey] {
    let keys: SQL = """
      SELECT max("from"), max("table"), max("to") FROM pragma_foreign_key_list(\(table), 'main')
      GROUP BY id HAVING count(*) = 1 ORDER BY id DESC
      """
    return try db.fetchAll(keys) { row in
      ForeignKey(column: try row[0], table: try row[1], referencedColumn: try row[2])
    }
  }
}

extension StorageError {
  /// Returns the error that synchronisation cannot be switched on for a table.
  static func cannotCapture(
    _ table: String, _ reason: String, suggestion: String, code: Code = .notSupported
  ) -> StorageError {
    StorageError(
      code, "cannot synchronise the table \(quoted(table)): \(reason)", suggestion: suggestion,
      backend: "sync")
  }
}
