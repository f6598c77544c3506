import UndercroftCore
import UndercroftSQLite

/// The schema of a table as it exists in the file.
struct ExistingTable {
  let columns: [SchemaColumn]
  let isStrict: Bool
  let hasRowID: Bool
  /// Whether the primary key has a separate index.
  ///
  /// A primary key with a separate index is not an alias of the rowid.
  let isKeyIndexed: Bool
  /// The sets of columns that are unique because of a constraint,
  /// or of an index that raw SQL created.
  let uniqueSets: Set<Set<ExactString>>
  let foreignKeys: [ForeignKeyPart]
  /// The conditions of the check constraints, as tokens.
  let checks: Set<[SQLTokenizer.Token]>
  /// The collation of each column that declares a collation, keyed by column name.
  ///
  /// The names of the columns and of the collations are in lower case, because SQLite ignores the
  /// case of ASCII letters in names.
  let collations: [ExactString: ExactString]
  /// The expressions of the computed columns as tokens, keyed by column name in lower case.
  let expressions: [ExactString: [SQLTokenizer.Token]]
  let isAutoincrementing: Bool

  /// One column of a foreign key.
  struct ForeignKeyPart {
    var id: Int
    var table: String
    var column: String
    var target: String?
    var onDelete: String
    var onUpdate: String
  }

  /// Reads the schema of a table from the file, or returns `nil` if there is no such table.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if a view, a virtual
  ///   table or a temporary table has the name.
  init?(_ name: String, in db: Connection) throws {
    try Self.requireNoTemporary(name, in: db)
    let kind: SQL = """
      SELECT type, wr, strict FROM pragma_table_list
      WHERE schema = 'main' AND name = \(name) COLLATE NOCASE
      """
    let existing = try db.fetchOne(kind) { row in
      (type: try row[0] as String, isKeyed: try row[1] as Bool, isStrict: try row[2] as Bool)
    }
    guard let existing else { return nil }
    guard existing.type == "table" else {
      // The other types are `virtual` and `shadow`.
      let kind = existing.type == "view" ? "view" : "\(existing.type) table"
      throw StorageError.table(
        "cannot use the table \(quoted(name)): a \(kind) has this name",
        suggestion: "declare the table under another name, or access the \(kind) with SQL")
    }
    (isStrict, hasRowID) = (existing.isStrict, !existing.isKeyed)
    columns = try db.columns(of: name)
    uniqueSets = try Self.uniqueSets(of: name, in: db)
    let keyIndex: SQL = "SELECT 1 FROM pragma_index_list(\(name), 'main') WHERE origin = 'pk'"
    isKeyIndexed = try db.fetchOne(keyIndex) { _ in true } != nil
    let keys: SQL = """
      SELECT id, "table", "from", "to", on_delete, on_update
      FROM pragma_foreign_key_list(\(name), 'main') ORDER BY id, seq
      """
    foreignKeys = try db.fetchAll(keys) { row in
      ForeignKeyPart(
        id: try row[0], table: try row[1], column: try row[2], target: try row[3],
        onDelete: try row[4], onUpdate: try row[5])
    }
    let text: SQL = """
      SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = \(name) COLLATE NOCASE
      """
    let read = CreateTableStatement(try db.fetchOne(text) { row in try row[0] as String } ?? "")
    checks = read?.checks ?? []
    collations = read?.collations ?? [:]
    expressions = read?.expressions ?? [:]
    isAutoincrementing = read?.isAutoincrementing ?? false
  }

  /// Verifies that the connection has no temporary table or view with this name.
  ///
  /// Statements would access the temporary table or view instead of the table in the file. SQLite
  /// drops a temporary table when the connection closes, so rows written to it would be lost.
  private static func requireNoTemporary(
    _ name: String, in db: Connection
  ) throws {
    let hidden: SQL = """
      SELECT 1 FROM temp.sqlite_schema
      WHERE type IN ('table', 'view') AND name = \(name) COLLATE NOCASE
      """

    if try db.fetchOne(hidden, { _ in true }) == nil { return }
    throw StorageError.table(
      """
      cannot use the table \(quoted(name)): a temporary table or view of the connection has this \
      name
      """,
      suggestion: """
        create the temporary table or view under another name, or drop the temporary object before \
        the table \(quoted(name)) is used
        """)
  }

  private static func uniqueSets(
    of name: String, in db: Connection
  ) throws -> Set<Set<ExactString>> {
    let columns: SQL = """
      SELECT list.name, info.name
      FROM pragma_index_list(\(name), 'main') AS list,
        pragma_index_xinfo(list.name, 'main') AS info
      WHERE list."unique" AND NOT list.partial AND info.key
      """
    var sets: [ExactString: [String?]] = [:]
    try db.forEach(columns) { row in
      sets[(try row[0] as String).exact, default: []].append(try row[1] as String?)
    }
    // Declared indexes are ignored, because they are created and dropped with their
    // declaration. Indexes of expressions are ignored, because these have no column name.
    return Set(
      sets.filter { !$0.key.begins(with: IndexNames.prefix) && !$0.value.contains(nil) }
        .values.map { SQLName.folded($0.compactMap { $0 }) })
  }

  func column(_ name: String) -> SchemaColumn? {
    columns.first { SQLName.isSame($0.name, name) }
  }
}
