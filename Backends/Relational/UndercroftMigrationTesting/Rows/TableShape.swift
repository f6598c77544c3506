import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// A table to fill with rows: its columns and foreign keys.
struct TableShape {
  /// A foreign key of the table.
  struct Reference {
    /// The name of the parent table, as the foreign key spells it.
    let parent: String
    var columns: [String] = []
    var targets: [String] = []
  }

  let name: String
  let columns: [ColumnShape]
  let references: [Int: Reference]
  let isRowIDAllowed: Bool

  /// Reads the columns and foreign keys of a table.
  ///
  /// - Returns: `nil` for a virtual table whose rows are not stored in its shadow tables.
  init?(_ object: SchemaObject, in db: Connection) throws {
    name = object.name
    let virtual = VirtualTable(object)
    if let virtual, virtual.rows != .internalContent { return nil }
    let sql = object.sql ?? ""
    let options = CreateTableStatement(sql)?.options ?? []
    let isStrict = options.contains { $0.isWord("strict") }
    let literals = TableLiterals(sql)
    let all = try db.columns(of: object.name)
    let keys = all.filter { $0.primaryKeyPosition > 0 }
    let index: SQL = "SELECT 1 FROM pragma_index_list(\(name), 'main') WHERE origin = 'pk'"
    let hasIndex = try db.fetchOne(index) { _ in true } != nil
    isRowIDAllowed = !options.contains { $0.isWord("without") }
    let hasRowID =
      isRowIDAllowed && keys.count == 1 && keys[0].type.folded == "integer" && !hasIndex
    let isFullText = virtual?.module.hasPrefix("fts") == true
    columns = all.filter { !$0.isGenerated }.map { column in
      ColumnShape(
        column, isRowID: hasRowID && column.primaryKeyPosition > 0,
        isStrict: isStrict, literals: isFullText ? [.text("Solaris")] : literals[column.name])
    }
    references = try Self.references(of: name, in: db)
  }

  private static func references(
    of table: String, in db: Connection
  ) throws -> [Int: Reference] {
    let keys: SQL = """
      SELECT id, "table", "from", "to", seq FROM pragma_foreign_key_list(\(table), 'main')
      ORDER BY id, seq
      """
    var references: [Int: Reference] = [:]
    try db.forEach(keys) { row in
      let id: Int = try row[0]
      let parent: String = try row[1]
      var reference = references[id] ?? Reference(parent: parent)
      reference.columns.append(try row[2])
      if let target: String = try row[3] { reference.targets.append(target) }
      references[id] = reference
    }
    for (id, reference) in references where reference.targets.count != reference.columns.count {
      // Without a list of columns, a foreign key refers to the primary key.
      guard try db.tableExists(reference.parent) else { continue }
      let keys = try db.columns(of: reference.parent).filter { $0.primaryKeyPosition > 0 }
      references[id]?.targets = keys.sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }
        .map(\.name)
    }
    return references.filter { $0.value.targets.count == $0.value.columns.count }
  }
}
