import UndercroftCore
import UndercroftSQLite

/// A table as the file has it.
struct FoundTable {
  let columns: [TableColumn]
  let isStrict: Bool
  let hasRowID: Bool
  /// Whether an index keeps the primary key, which then is no other name of the row's number.
  let isKeyIndexed: Bool
  /// What its constraints, and indexes made by hand, let no two rows have the same of.
  let uniqueSets: Set<Set<ExactString>>
  let foreignKeys: [ForeignKeyPart]
  /// The conditions of its checks.
  let checks: Set<[SQLTokens.Token]>
  /// The collations by the columns that name one, both with small letters.
  let collations: [ExactString: ExactString]
  /// What computed columns are computed from, by their names with small letters.
  let expressions: [ExactString: [SQLTokens.Token]]
  let isAutoincrementing: Bool

  /// One column of a reference.
  struct ForeignKeyPart {
    var id: Int
    var table: String
    var column: String
    var target: String?
    var onDelete: String
    var onUpdate: String
  }

  /// Reads what the file has, or returns `nil` where it has no such table.
  ///
  /// - Throws: ``StorageError/Code/misuse`` when a view or a virtual table has the name.
  init?(_ name: String, in db: borrowing Connection) throws {
    try Self.requireNoTemporary(name, in: db)
    let kind: SQL = """
      SELECT type, wr, strict FROM pragma_table_list
      WHERE schema = 'main' AND name = \(name) COLLATE NOCASE
      """
    let found = try db.first(kind) { row in
      (type: try row[0] as String, isKeyed: try row[1] as Bool, isStrict: try row[2] as Bool)
    }
    guard let found else { return nil }
    guard found.type == "table" else {
      throw StorageError(
        .misuse,
        "cannot use the table \(quoted(name)): a \(found.type == "view" ? "view" : "virtual table") has this name",
        cure: "declare the table under another name, or use SQL for this one", backend: "sqlite")
    }
    (isStrict, hasRowID) = (found.isStrict, !found.isKeyed)
    columns = try db.columns(of: name)
    uniqueSets = try Self.uniqueSets(of: name, in: db)
    let keyIndex: SQL = "SELECT 1 FROM pragma_index_list(\(name), 'main') WHERE origin = 'pk'"
    isKeyIndexed = try db.first(keyIndex) { _ in true } != nil
    let keys: SQL = """
      SELECT id, "table", "from", "to", on_delete, on_update
      FROM pragma_foreign_key_list(\(name), 'main') ORDER BY id, seq
      """
    foreignKeys = try db.query(keys) { row in
      ForeignKeyPart(
        id: try row[0], table: try row[1], column: try row[2], target: try row[3],
        onDelete: try row[4], onUpdate: try row[5])
    }
    let text: SQL = """
      SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = \(name) COLLATE NOCASE
      """
    let read = TableText(try db.first(text) { row in try row[0] as String } ?? "")
    checks = read?.checks ?? []
    collations = read?.collations ?? [:]
    expressions = read?.expressions ?? [:]
    isAutoincrementing = read?.isAutoincrementing ?? false
  }

  /// One of this name would be read and written in the place of the file's, and be gone with the connection.
  private static func requireNoTemporary(
    _ name: String, in db: borrowing Connection
  ) throws {
    let hidden: SQL = """
      SELECT 1 FROM temp.sqlite_schema
      WHERE type IN ('table', 'view') AND name = \(name) COLLATE NOCASE
      """

    if try db.first(hidden, { _ in true }) == nil { return }
    throw StorageError(
      .misuse,
      "cannot use the table \(quoted(name)): a temporary table or view of the connection has this name",
      cure: "give the temporary one another name, or drop it", backend: "sqlite")
  }

  private static func uniqueSets(
    of name: String, in db: borrowing Connection
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
    // Declared indexes come and go with their declaration; expressions have no name.
    return Set(
      sets.filter { !$0.key.begins(with: IndexNames.prefix) && !$0.value.contains(nil) }
        .values.map { SQLName.folded($0.compactMap { $0 }) })
  }

  func column(_ name: String) -> TableColumn? {
    columns.first { SQLName.isSame($0.name, name) }
  }
}
