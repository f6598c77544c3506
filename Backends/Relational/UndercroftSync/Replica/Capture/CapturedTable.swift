import UndercroftCore
package import UndercroftSQLite

/// A table whose changes are captured, as `sync_table` and `sync_column` describe it.
package struct CapturedTable: Sendable, Hashable {
  /// The way in which the keys of rows become identifiers that all replicas share.
  package enum Identity: String, Sendable, Hashable {
    /// The key is a text and is itself the identifier.
    case text = "text"
    /// The key is a UUID of 16 bytes, whose lower-case text is the identifier.
    case blob = "blob"
    /// The key is an integer that only this replica uses; `sync_record` stores the identifier.
    case integer = "integer"
  }

  /// The number of the table, which the names of its triggers and helper tables contain.
  package var tableID: Int64
  package var scopeID: Int64
  package var name: String
  package var keyColumn: String
  package var identity: Identity
  /// The columns in the order of their positions, including those of role
  /// ``CapturedColumn/Role/local``, without the key and generated columns.
  package var columns: [CapturedColumn] {
    didSet { lists = ColumnLists(columns) }
  }
  /// The lists of columns that are needed for each row.
  private var lists: ColumnLists

  package init(
    tableID: Int64, scopeID: Int64, name: String, keyColumn: String, identity: Identity,
    columns: [CapturedColumn]
  ) {
    self.tableID = tableID
    self.scopeID = scopeID
    self.name = name
    self.keyColumn = keyColumn
    self.identity = identity
    self.columns = columns
    lists = ColumnLists(columns)
  }

  /// The columns whose values are synchronised, in the order of their positions.
  package var syncedColumns: [CapturedColumn] { lists.synced }

  /// The names of the columns that are synchronised.
  var syncedNames: Set<ExactString> { lists.syncedNames }

  /// The names of the counters, which are the columns whose changes are added up.
  var counters: Set<ExactString> { lists.counters }

  /// Whether the table has counters, which are columns whose changes are added up.
  package var hasCounters: Bool { !lists.counters.isEmpty }

  /// The name of the helper table that stores the last pulled version of rows.
  package var shadowTable: String { "sync_shadow_\(tableID)" }

  /// The name of the helper table that stores rows as they were after closed operations.
  package var imageTable: String { "sync_image_\(tableID)" }
}

extension CapturedTable {
  /// Returns all tables whose changes are captured, in the order in which they were added.
  package static func load(in db: Connection) throws -> [CapturedTable] {
    var tables = try db.fetchAll(
      "SELECT table_id, scope_id, name, key_column, identity FROM sync_table ORDER BY table_id"
    ) { row in
      CapturedTable(
        tableID: try row[0], scopeID: try row[1], name: try row[2], keyColumn: try row[3],
        identity: try row[4], columns: [])
    }
    for index in tables.indices {
      tables[index].columns = try db.fetchAll(
        """
        SELECT name, position, role, referenced_table FROM sync_column
        WHERE table_id = \(tables[index].tableID) ORDER BY position
        """
      ) { row in
        CapturedColumn(
          try row[0], position: try row[1], role: try row[2], referencedTable: try row[3])
      }
    }
    return tables
  }
}

extension CapturedTable.Identity: SQLReadable {}
extension CapturedColumn.Role: SQLReadable {}
