import UndercroftCore
import UndercroftFoundation
import UndercroftSQLite

/// A transaction of one scope in a file of a ``SQLiteSyncStore``.
struct SQLiteSyncTransaction: SyncServerTransaction {
  let db: Connection
  private let name: ScopeIdentifier
  /// The number of the scope in its file; negative if the file does not contain the scope.
  let scopeNumber: Int64

  init(_ scope: ScopeIdentifier, _ db: Connection) throws {
    self.db = db
    name = scope
    let found = try Self.number(of: scope, db)
    if found == nil, db.isWriter {
      try db.execute("INSERT INTO sync_scope(name) VALUES (\(scope.text))")
      scopeNumber = db.lastInsertedRowID
    } else {
      scopeNumber = found ?? -1
    }
  }

  private static func number(of scope: ScopeIdentifier, _ db: Connection) throws -> Int64? {
    try db.prepare("SELECT scope_id FROM sync_scope WHERE name = ?") { select in
      try select.bind(scope.text, at: 1)
      return try select.fetchOne { row in try row[0] }
    }
  }

  func scope() throws -> StoredScope? {
    try db.prepare(
      """
      SELECT epoch, head, floor, hlc, live_rows, digest_sum FROM sync_scope
        WHERE scope_id = ? AND epoch IS NOT NULL
      """
    ) { select in
      try select.bind(scopeNumber, at: 1)
      return try select.fetchOne { row in
        StoredScope(
          epoch: Epoch(try row[0]), head: try row[1], floor: try row[2],
          hybridTimestamp: HybridTimestamp(clamping: try row[3]), liveRows: try row[4],
          digestSum: UInt64(bitPattern: try row[5]))
      }
    }
  }

  func put(_ scope: StoredScope) throws {
    try db.prepare(
      """
      UPDATE sync_scope SET epoch = ?, head = ?, floor = ?, hlc = ?, live_rows = ?, digest_sum = ?
        WHERE scope_id = ?
      """
    ) { update in
      try update.bind(scope.epoch.text, at: 1)
      try update.bind(scope.head, at: 2)
      try update.bind(scope.floor, at: 3)
      try update.bind(scope.hybridTimestamp.rawValue, at: 4)
      try update.bind(scope.liveRows, at: 5)
      try update.bind(Int64(bitPattern: scope.digestSum), at: 6)
      try update.bind(scopeNumber, at: 7)
      try update.run()
    }
  }

  // MARK: Conflicts

  func conflict(_ conflict: ConflictIdentifier, of account: String) throws -> StoredConflict? {
    try db.prepare(
      """
      SELECT version, body FROM sync_conflict
        WHERE scope_id = ? AND account = ? AND conflict = ?
      """
    ) { select in
      try select.bind(scopeNumber, at: 1)
      try select.bind(account, at: 2)
      try select.bind(conflict.text, at: 3)
      return try select.fetchOne { row in
        StoredConflict(
          conflictIdentifier: conflict, account: account, version: try row[0], body: try row[1])
      }
    }
  }

  func conflicts(
    of account: String, after first: Int64, through last: Int64, limit: StoreLimit
  ) throws -> [StoredConflict] {
    try db.prepare(
      """
      SELECT version, conflict, body FROM sync_conflict
        WHERE scope_id = ? AND account = ? AND version > ? AND version <= ?
        ORDER BY version, conflict
      """
    ) { select in
      try select.bind(scopeNumber, at: 1)
      try select.bind(account, at: 2)
      try select.bind(first, at: 3)
      try select.bind(last, at: 4)
      var found: [StoredConflict] = []
      var bytes = 0
      try select.forEachUntil { row in
        let version: Int64 = try row[0]
        if limit.isReached(count: found.count, bytes: bytes), version != found.last?.version {
          return .stop
        }
        let body: Data = try row[2]
        bytes += body.count
        found.append(
          StoredConflict(
            conflictIdentifier: ConflictIdentifier(try row[1]), account: account,
            version: version, body: body))
        return .continue
      }
      return found
    }
  }

  func put(_ conflict: StoredConflict) throws {
    try db.prepare(
      """
      INSERT INTO sync_conflict(scope_id, account, conflict, version, body) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET version = excluded.version, body = excluded.body
      """
    ) { insert in
      try insert.bind(scopeNumber, at: 1)
      try insert.bind(conflict.account, at: 2)
      try insert.bind(conflict.conflictIdentifier.text, at: 3)
      try insert.bind(conflict.version, at: 4)
      try insert.bind(conflict.body, at: 5)
      try insert.run()
    }
  }

  func removeConflicts(through version: Int64) throws -> Int {
    try db.execute(
      "DELETE FROM sync_conflict WHERE scope_id = \(scopeNumber) AND version <= \(version)")
  }
}
