import UndercroftSQLite

extension Replica {
  /// Acquires or renews the lease of the scope, which prevents two engines, such as those of two
  /// processes, from synchronising the same file at the same time.
  ///
  /// The lease saves work and messages. Two engines that synchronise nevertheless lose nothing.
  ///
  /// - Parameters:
  ///   - owner: an identifier of the engine.
  ///   - milliseconds: the time after which other engines may acquire the lease.
  /// - Returns: whether `owner` has the lease.
  package func acquireLease(owner: String, milliseconds: Int64) throws -> Bool {
    let now = environment.now()
    let until = now.addingReportingOverflow(milliseconds)
    return try database.write(lock: .immediate, from: .sync) { db in
      try SyncSchema.verify(in: db)
      // A lease that ends later than a new lease would was acquired before the clock was set back.
      let acquired = try db.execute(
        """
        UPDATE sync_scope SET lease_owner = \(owner),
          lease_until_ms = \(until.overflow ? .max : until.partialValue)
        WHERE name = \(scope.text) AND (lease_owner IS NULL OR lease_owner = \(owner)
          OR lease_until_ms <= \(now) OR lease_until_ms - \(milliseconds) > \(now))
        """)
      return acquired > 0
    }
  }

  /// Releases the lease, if `owner` has it.
  package func releaseLease(owner: String) throws {
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
