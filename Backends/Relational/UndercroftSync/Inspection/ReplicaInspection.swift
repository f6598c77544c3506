import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

/// A reader of the tables of synchronisation in the database of a device.
struct ReplicaInspection {
  let db: Connection

  /// Returns the scopes with their progress.
  func scopes() throws -> [InspectedSyncScope] {
    try scopeNames().map { scope in
      let (number, state) = try ReplicaState.load(scope, in: db)
      let queue = try ReplicaQueue(ofScope: number, in: db)
      let lag = state.head.subtractingReportingOverflow(state.appliedCursor)
      return InspectedSyncScope(
        name: scope.text, role: .device,
        facts: [
          .init("account", .text(state.account)), .init("device", .text(state.replica.text)),
          .init("direction", .text(state.isOneWay ? "oneWay" : "twoWay")),
          .init("epoch", ResultValue(state.epoch?.text)),
          .init("captured", .integer(Int64(queue.unsealed))),
          .init("sent", .integer(Int64(queue.sealed))),
          .init("acknowledged", .integer(Int64(queue.acknowledged))),
          .init("staged", .integer(Int64(queue.staged))),
          .init("blocked", .integer(Int64(queue.blocked))),
          .init("conflicts", .integer(Int64(queue.conflicts))),
          .init("parked", .integer(try eventCount("parked", number))),
          .init("cursor", .integer(state.appliedCursor)),
          .init("downloaded", .integer(state.downloadCursor)),
          .init("consistent", .integer(state.consistentCursor)),
          .init("head", .integer(state.head)),
          .init("lag", .integer(lag.overflow ? .max : max(0, lag.partialValue))),
          .init("mode", .text(state.mode.rawValue)),
          .init("sequence", .integer(state.chain.count)),
          .init("resultsThrough", .integer(state.resultsThrough)),
        ] + (try clockFacts()) + (try leaseFacts(number)))
    }
  }

  /// Returns the digests of the scopes.
  func digests() throws -> [InspectedSyncDigest] {
    try scopeNames().map { scope in
      let found = try Replica.digest(of: scope, in: db)
      return InspectedSyncDigest(
        scope: scope.text, role: .device, version: found?.cursor, rowCount: found?.digest.count,
        digits: found.map { WireForm.digits($0.digest.sum) })
    }
  }

  /// Returns the names of the scopes in the order in which they were added.
  func scopeNames() throws -> [ScopeIdentifier] {
    try SyncSchema.verify(in: db)
    return try db.fetchAll("SELECT name FROM sync_scope ORDER BY scope_id") { row in
      ScopeIdentifier(try row[0])
    }
  }

  /// Returns a transaction that only reads the rows of a scope.
  func transaction(of scope: ScopeIdentifier) throws -> ReplicaTransaction {
    try ReplicaTransaction(
      scope, in: db, environment: .system, limits: SyncLimits(), schemaVersion: 1, cipher: nil,
      isStrict: false)
  }

  /// The number of events in the log, which contains the last 1,000 events.
  private func eventCount(_ event: String, _ number: Int64) throws -> Int64 {
    try db.fetchValue(
      "SELECT count(*) FROM sync_log WHERE event = \(event) AND scope_id = \(number)")
  }

  /// The time of the last change that was sealed or pulled, and whether changes are captured.
  private func clockFacts() throws -> [InspectedSyncScope.Fact] {
    try db.fetchOne("SELECT hlc, applying FROM sync_clock") { row in
      let (time, applying) = (HybridTimestamp(clamping: try row[0]), try row[1] as Int64)
      return [
        .init("lastChange", milliseconds: time == .zero ? nil : time.milliseconds),
        .init("capturesChanges", .boolean(applying != -1)),
      ]
    } ?? []
  }

  /// The engine that synchronises the scope at present.
  private func leaseFacts(_ number: Int64) throws -> [InspectedSyncScope.Fact] {
    try db.fetchOne(
      "SELECT lease_owner, lease_until_ms FROM sync_scope WHERE scope_id = \(number)"
    ) { row in
      let (owner, end) = (try row[0] as String?, try row[1] as Int64?)
      return [
        .init("leaseOwner", ResultValue(owner)),
        .init("leaseUntil", milliseconds: end),
      ]
    } ?? []
  }
}
