import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftSQLite

extension Replica {
  /// Acquires or renews the lease of the scope, which prevents two engines, such as those of two
  /// processes, from synchronising the same file at the same time.
  ///
  /// A lease of the owner is not renewed while more than half of its time remains, because each
  /// renewal is a commit.
  ///
  /// The lease saves work and messages. Two engines that synchronise nevertheless lose nothing.
  /// The lease of a process that has ended, for example because it was killed, is available
  /// immediately if both processes run on the same system.
  ///
  /// - Parameters:
  ///   - owner: an identifier of the engine, such as ``leaseOwner(_:)``.
  ///   - milliseconds: the time after which other engines may acquire the lease.
  /// - Returns: whether `owner` has the lease.
  package func acquireLease(owner: String, milliseconds: Int64) throws -> Bool {
    let now = environment.now()
    if let end = try endOfLease(of: owner) {
      let remaining = end.subtractingReportingOverflow(now)
      let isLong = remaining.partialValue > milliseconds / 2
      if !remaining.overflow, isLong, remaining.partialValue <= milliseconds { return true }
    }
    let until = now.addingReportingOverflow(milliseconds)
    return try database.write(lock: .immediate, from: .sync) { db in
      try SyncSchema.verify(in: db)
      let holder: String? =
        try db.fetchOne("SELECT lease_owner FROM sync_scope WHERE name = \(scope.text)") { row in
          try row[0] as String?
        } ?? nil
      let isAbandoned =
        environment.mutations.contains(.sharedLease)
        || holder.map { $0 != owner && Self.hasEnded($0) } ?? false
      // A lease that ends later than a new lease would was acquired before the clock was set back.
      let acquired = try db.execute(
        """
        UPDATE sync_scope SET lease_owner = \(owner),
          lease_until_ms = \(until.overflow ? .max : until.partialValue)
        WHERE name = \(scope.text) AND (lease_owner IS NULL OR lease_owner = \(owner) OR \(isAbandoned)
          OR lease_until_ms <= \(now) OR lease_until_ms - \(milliseconds) > \(now))
        """)
      if acquired > 0 { Self.owners.withLock { _ = $0.insert(ExactString(owner)) } }
      return acquired > 0
    }
  }

  /// The owners of this process that have acquired a lease and not released it.
  ///
  /// A file can contain an owner of this process that is missing here: the database was closed
  /// before the owner could release its lease.
  private static let owners = Mutex<Set<ExactString>>([])

  /// Returns the time at which the lease of `owner` ends, in milliseconds since 1970, or `nil` if
  /// `owner` has no lease.
  private func endOfLease(of owner: String) throws -> Int64? {
    try database.read { db in
      try SyncSchema.verify(in: db)
      return try db.fetchOne(
        """
        SELECT lease_until_ms FROM sync_scope
        WHERE name = \(scope.text) AND lease_owner = \(owner)
        """
      ) { row in try row[0] as Int64? } ?? nil
    }
  }

  /// Returns a lease owner that names this process and an engine of the process.
  package static func leaseOwner(_ engine: String) -> String {
    ProcessIdentity.current.map { "\($0.text)#\(engine)" } ?? engine
  }

  private static func hasEnded(_ owner: String) -> Bool {
    guard let end = owner.firstIndex(of: "#"), let process = ProcessIdentity(owner[..<end]) else {
      return false
    }
    guard process == .current else { return process.hasEnded }
    return !owners.withLock { $0.contains(ExactString(owner)) }
  }

  /// Releases the lease, if `owner` has it.
  ///
  /// If this function throws, for example because the database is closed, other engines of this
  /// process can acquire the lease nevertheless.
  package func releaseLease(owner: String) throws {
    defer { Self.owners.withLock { _ = $0.remove(ExactString(owner)) } }
    try database.write(lock: .immediate, from: .sync) { db in
      try SyncSchema.verify(in: db)
      try db.execute(
        """
        UPDATE sync_scope SET lease_owner = NULL, lease_until_ms = NULL
        WHERE name = \(scope.text) AND lease_owner = \(owner)
        """)
    }
  }
}
