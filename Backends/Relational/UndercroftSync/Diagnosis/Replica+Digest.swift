import UndercroftCore
import UndercroftSQLite

/// The version of a row that a replica has pulled.
struct PulledVersion: Hashable {
  let name: RowName
  let version: Int64
}

extension Replica {
  /// Returns the version up to which all changes are applied, and the digest of the pulled rows.
  ///
  /// Returns `nil` if pulled pages wait to be applied, or if the replica is not pulling
  /// incrementally.
  package func digest() throws -> (cursor: Int64, digest: ScopeDigest)? {
    try database.read { db in try Self.digest(of: scope, in: db) }
  }

  /// Returns the result of ``digest()`` for a scope of a database.
  static func digest(
    of scope: ScopeIdentifier, in db: Connection
  ) throws -> (cursor: Int64, digest: ScopeDigest)? {
    let (scopeID, state) = try ReplicaState.load(scope, in: db)
    guard !(try hasStaged(scopeID, db)), state.mode == .incremental else { return nil }
    var digest = ScopeDigest()
    try forEachPulled(after: -1, through: .max, scopeID, db) { row in
      digest.add(
        table: row.name.table.text, row: row.name.identifier, version: row.version)
    }
    return (state.appliedCursor, digest)
  }

  /// Returns the pulled rows with versions after `first` and up to `last`.
  ///
  /// Returns `nil` if the replica has applied the scope up to another version than `cursor`, or if
  /// pulled pages wait to be applied.
  func pulledVersions(
    after first: Int64, through last: Int64, at cursor: Int64
  ) throws -> Set<PulledVersion>? {
    try database.read { db in
      let (scopeID, state) = try ReplicaState.load(scope, in: db)
      guard state.appliedCursor == cursor, !(try Self.hasStaged(scopeID, db)) else { return nil }
      var rows: Set<PulledVersion> = []
      try Self.forEachPulled(after: first, through: last, scopeID, db) { rows.insert($0) }
      return rows
    }
  }

  private static func hasStaged(_ scopeID: Int64, _ db: Connection) throws -> Bool {
    try db.fetchValue(
      "SELECT EXISTS(SELECT 1 FROM sync_to_execute WHERE scope_id = \(scopeID))")
  }

  /// Calls `body` with each pulled row, including the rows that the tables of the application do
  /// not contain: blocked rows, and rows of unknown tables.
  private static func forEachPulled(
    after first: Int64, through last: Int64, _ scopeID: Int64, _ db: Connection,
    _ body: (PulledVersion) throws -> Void
  ) throws {
    let tables = try CapturedTable.load(in: db).filter { $0.scopeID == scopeID }
    for table in tables {
      // The shadow table contains the pulled row of a record with operations, or no row.
      try db.forEach(
        """
        SELECT r.primary_key, r.identifier, r.version FROM sync_record r
        WHERE r.table_id = \(table.tableID) AND r.version > \(max(first, 0))
          AND r.version <= \(last) AND NOT EXISTS(
            SELECT 1 FROM \(identifier: table.shadowTable) s
            WHERE s.record_id = r.record_id AND NOT s.exists_)
        """
      ) { row in
        let stored = (try row[1] as String?).map { DataIdentifier($0) }
        let key = (try row[0] as StoredValue).value
        guard let identifier = stored ?? table.identity.dataIdentifier(ofKey: key),
          try !isBlocked(identifier, table, db)
        else { return }
        try body(PulledVersion(name: RowName(table.name, identifier), version: try row[2]))
      }
      try db.forEach(
        """
        SELECT identifier, version FROM sync_blocked WHERE table_name = \(table.name)
          AND deleted = 0 AND version > \(first) AND version <= \(last)
        """
      ) { row in
        try body(
          PulledVersion(
            name: RowName(table.name, DataIdentifier(try row[0])), version: try row[1]))
      }
    }
    try db.forEach(
      """
      SELECT table_name, identifier, version FROM sync_extra
      WHERE scope_id = \(scopeID) AND table_name NOT IN (SELECT name FROM sync_table)
        AND version > \(first) AND version <= \(last)
      """
    ) { row in
      try body(
        PulledVersion(
          name: RowName(try row[0], DataIdentifier(try row[1])), version: try row[2]))
    }
  }

  private static func isBlocked(
    _ identifier: DataIdentifier, _ table: CapturedTable, _ db: Connection
  ) throws -> Bool {
    try db.fetchValue(
      """
      SELECT EXISTS(SELECT 1 FROM sync_blocked
        WHERE table_name = \(table.name) AND identifier = \(identifier.text))
      """)
  }
}
