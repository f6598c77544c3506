import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// A captured operation, with the row before and after the operation.
struct CapturedChange: CustomStringConvertible {
  enum Kind: String {
    case insert = "insert"
    case update = "update"
    case delete = "delete"
    case nothing = "nothing"
  }

  let record: Int64
  let table: String
  /// The primary key of the row as text.
  ///
  /// The key is `#` if another row can reuse the integer key of the deleted row.
  let key: String
  /// The types and bytes of all values before the operation, or `nil` if there was no row.
  let before: String?
  let after: String?

  var kind: Kind {
    switch (before, after) {
    case (nil, nil): .nothing
    case (nil, _?): .insert
    case (_?, nil): .delete
    case (let before?, let after?): before.isExactly(after) ? .nothing : .update
    }
  }

  var description: String { "\(kind.rawValue) \(table) \(key)" }
}

extension CapturingLibrary {
  /// Returns the captured operations that change a row, in the order in which they are sent.
  func changes() throws -> [CapturedChange] {
    try allChanges().filter { $0.kind != .nothing }
  }

  /// Returns the captured operations that change a row, each as its kind, its table and its key.
  func changeList() throws -> [String] { try changes().map(\.description) }

  /// Returns all captured operations, including those whose row is the same before and after.
  func allChanges() throws -> [CapturedChange] {
    try database.read { db in
      let tables = try CapturedTable.load(in: db)
      var last: [Int64: String?] = [:]
      let operations = try db.fetchAll(
        "SELECT local_id, table_id, record_id, state FROM sync_to_sync ORDER BY local_id"
      ) { row in
        (
          id: try row[0] as Int64, table: try row[1] as Int64, record: try row[2] as Int64,
          state: try row[3] as String
        )
      }
      return try operations.compactMap { operation in
        guard let table = tables.first(where: { $0.tableID == operation.table }) else { return nil }
        let before = try last[operation.record] ?? shadow(of: operation.record, table, in: db)
        let after =
          operation.state == "closed"
          ? try storedRow(table.imageTable, "local_id", operation.id, table, in: db)
          : try currentRow(of: operation.record, table, in: db)
        last[operation.record] = .some(after)
        return CapturedChange(
          record: operation.record, table: table.name,
          key: try key(of: operation.record, in: db), before: before, after: after)
      }
    }
  }

  private func key(of record: Int64, in db: Connection) throws -> String {
    let sql: SQL = """
      SELECT coalesce(CAST(primary_key AS TEXT), '#') FROM sync_record WHERE record_id = \(record)
      """
    return try db.fetchOne(sql) { row in try row[0] } ?? "?"
  }

  /// Returns the stored original of a changed row, or `nil` if the server has no such row.
  func shadow(of record: Int64, _ table: CapturedTable, in db: Connection) throws -> String? {
    try storedRow(table.shadowTable, "record_id", record, table, in: db)
  }

  private func storedRow(
    _ name: String, _ idColumn: String, _ id: Int64, _ table: CapturedTable, in db: Connection
  ) throws -> String? {
    let values = try literals(table.syncedColumns.map { ($0, $0.storedName) }, in: db)
    let sql = "SELECT \(values) FROM \(name) WHERE \(idColumn) = \(id) AND exists_"
    return try db.fetchOne(SQL(unchecked: sql)) { row in try row[0] }
  }

  func currentRow(of record: Int64, _ table: CapturedTable, in db: Connection) throws -> String? {
    let values = try literals(table.syncedColumns.map { ($0, $0.name) }, in: db)
    let sql = """
      SELECT \(values) FROM \(table.name.quotedIdentifier)
      WHERE \(table.keyColumn.quotedIdentifier) = (
        SELECT primary_key FROM sync_record WHERE record_id = \(record)) COLLATE BINARY
      """
    return try db.fetchOne(SQL(unchecked: sql)) { row in try row[0] }
  }

  /// Returns an SQL expression for the types and the bytes of the values of columns.
  ///
  /// A reference by an integer key is the number of the record of the referenced row, because the
  /// key can change.
  private func literals(
    _ columns: [(CapturedColumn, name: String)], in db: Connection
  ) throws -> String {
    let targets = try CapturedTable.load(in: db).filter { $0.identity == .integer }
    let parts = columns.map { column, name in
      let column =
        column.referencedTable.flatMap { name in targets.first { $0.name == name } }
        .map { record(withKey: name.quotedIdentifier, in: $0) } ?? name.quotedIdentifier
      return """
        (typeof(\(column)) || CASE typeof(\(column)) WHEN 'real' THEN quote(\(column))
          ELSE hex(\(column)) END)
        """
    }
    return parts.isEmpty ? "''" : parts.joined(separator: " || ',' || ")
  }

  /// Returns an SQL expression for the number of the record of a row with an integer key.
  ///
  /// A key that a deleted row has released denotes this row in a stored copy.
  private func record(withKey key: String, in table: CapturedTable) -> String {
    let records = ["released_key", "primary_key"].map { column in
      """
      (SELECT 'record ' || record_id FROM sync_record
        WHERE table_id = \(table.tableID) AND \(column) = \(key))
      """
    }
    return "coalesce(\(records.joined(separator: ", ")), \(key))"
  }
}
