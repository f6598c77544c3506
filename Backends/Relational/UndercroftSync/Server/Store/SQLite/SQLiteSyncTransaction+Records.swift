import UndercroftFoundation
import UndercroftSQLite

extension SQLiteSyncTransaction {
  /// The value in the column `is_deleted` for a tombstone that is never removed, as
  /// ``StoredRecord/isRetained`` states.
  private static let retained: Int64 = 2

  func record(_ dataIdentifier: DataIdentifier, in table: String) throws -> StoredRecord? {
    try db.prepare(
      """
      SELECT version, is_deleted, body FROM sync_record
        WHERE scope_id = ? AND table_name = ? AND identifier = ?
      """
    ) { select in
      try select.bind(scopeNumber, at: 1)
      try select.bind(table, at: 2)
      try select.bind(dataIdentifier.text, at: 3)
      return try select.fetchOne { row in
        let deletion: Int64 = try row[1]
        return StoredRecord(
          table: table, dataIdentifier: dataIdentifier, version: try row[0],
          isDeleted: deletion != 0, body: try row[2], isRetained: deletion == Self.retained)
      }
    }
  }

  func records(after version: Int64, limit: StoreLimit) throws -> [StoredRecord] {
    try db.prepare(
      """
      SELECT table_name, identifier, version, is_deleted, body FROM sync_record
        WHERE scope_id = ? AND version > ? ORDER BY version
      """
    ) { select in
      try select.bind(scopeNumber, at: 1)
      try select.bind(version, at: 2)
      var found: [StoredRecord] = []
      var bytes = 0
      try select.forEachUntil { row in
        if limit.isReached(count: found.count, bytes: bytes) { return .stop }
        let deletion: Int64 = try row[3]
        let body: Data = try row[4]
        bytes += body.count
        found.append(
          StoredRecord(
            table: try row[0], dataIdentifier: DataIdentifier(try row[1]), version: try row[2],
            isDeleted: deletion != 0, body: body, isRetained: deletion == Self.retained))
        return .continue
      }
      return found
    }
  }

  func records(
    in table: String, after identifier: DataIdentifier?, limit: StoreLimit
  ) throws -> [StoredRecord] {
    try db.prepare(
      """
      SELECT identifier, version, is_deleted, body FROM sync_record
        WHERE scope_id = ? AND table_name = ? AND identifier > ? ORDER BY identifier
      """
    ) { select in
      try select.bind(scopeNumber, at: 1)
      try select.bind(table, at: 2)
      // No identifier is empty.
      try select.bind(identifier?.text ?? "", at: 3)
      var found: [StoredRecord] = []
      var bytes = 0
      try select.forEachUntil { row in
        if limit.isReached(count: found.count, bytes: bytes) { return .stop }
        let deletion: Int64 = try row[2]
        let body: Data = try row[3]
        bytes += body.count
        found.append(
          StoredRecord(
            table: table, dataIdentifier: DataIdentifier(try row[0]), version: try row[1],
            isDeleted: deletion != 0, body: body, isRetained: deletion == Self.retained))
        return .continue
      }
      return found
    }
  }

  func put(_ record: StoredRecord) throws {
    try db.prepare(
      """
      INSERT INTO sync_record(scope_id, table_name, identifier, version, is_deleted, body)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT(scope_id, table_name, identifier) DO UPDATE SET
          version = excluded.version, is_deleted = excluded.is_deleted, body = excluded.body
      """
    ) { insert in
      try insert.bind(scopeNumber, at: 1)
      try insert.bind(record.table, at: 2)
      try insert.bind(record.dataIdentifier.text, at: 3)
      try insert.bind(record.version, at: 4)
      let deletion: Int64 = record.isDeleted ? record.isRetained ? Self.retained : 1 : 0
      try insert.bind(deletion, at: 5)
      try insert.bind(record.body, at: 6)
      try insert.run()
    }
  }

  func removeTombstones(through version: Int64) throws -> Int {
    try db.execute(
      """
      DELETE FROM sync_record
        WHERE scope_id = \(scopeNumber) AND is_deleted = 1 AND version <= \(version)
      """)
  }
}
