import UndercroftCore
import UndercroftFoundation
import UndercroftInspection
import UndercroftSQLite

/// A reader of one file of a server's store.
struct ServerInspection {
  let db: Connection

  /// Verifies the format of the file.
  init(_ db: Connection) throws {
    self.db = db
    let format: Int64 = try db.fetchValue("SELECT format FROM sync_store")
    guard format == 1 else {
      throw StorageError(
        .notSupported,
        """
        cannot inspect the store of the server: the table "sync_store" has the format \(format), \
        but this version of the library supports only the format 1
        """,
        suggestion: "use the version of the library that wrote the store", backend: "sync")
    }
  }

  /// Returns the scopes with their progress.
  func scopes() throws -> [InspectedSyncScope] {
    try stored().map { scope in
      let (devices, seen) =
        try db.fetchOne(
          "SELECT count(*), max(last_seen_ms) FROM sync_replica WHERE scope_id = \(scope.number)"
        ) { row in (try row[0] as Int64, try row[1] as Int64?) } ?? (0, nil)
      return InspectedSyncScope(
        name: scope.name, role: .server,
        facts: [
          .init("epoch", ResultValue(scope.epoch)), .init("head", .integer(scope.head)),
          .init("floor", .integer(scope.floor)), .init("rows", .integer(scope.digest.count)),
          .init("devices", .integer(devices)),
          .init("lastSeen", milliseconds: seen),
          .init("operations", .integer(try count("sync_operation", scope))),
          .init("conflicts", .integer(try count("sync_conflict", scope))),
          .init(
            "lastChange", milliseconds: scope.time == .zero ? nil : scope.time.milliseconds),
        ])
    }
  }

  /// Returns the digests of the scopes.
  func digests() throws -> [InspectedSyncDigest] {
    try stored().map { scope in
      InspectedSyncDigest(
        scope: scope.name, role: .server, version: scope.head, rowCount: scope.digest.count,
        digits: WireForm.digits(scope.digest.sum))
    }
  }

  /// A scope in the file.
  struct Scope {
    let number: Int64
    let name: String
    let epoch: String?
    let head: Int64
    let floor: Int64
    let time: HybridTimestamp
    let digest: ScopeDigest
  }

  /// Returns the scopes in the order in which they were created.
  func stored() throws -> [Scope] {
    try db.fetchAll(
      """
      SELECT scope_id, name, epoch, head, floor, hlc, live_rows, digest_sum FROM sync_scope
      ORDER BY scope_id
      """
    ) { row in
      Scope(
        number: try row[0], name: try row[1], epoch: try row[2], head: try row[3],
        floor: try row[4], time: HybridTimestamp(clamping: try row[5]),
        digest: ScopeDigest(count: try row[6], sum: UInt64(bitPattern: try row[7])))
    }
  }

  private func count(_ table: String, _ scope: Scope) throws -> Int64 {
    try db.fetchValue(
      "SELECT count(*) FROM \(identifier: table) WHERE scope_id = \(scope.number)")
  }
}
