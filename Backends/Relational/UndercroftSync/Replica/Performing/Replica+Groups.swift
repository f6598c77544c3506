import UndercroftCore
package import UndercroftSQLite

extension Replica {
  /// Runs `body` in a write transaction, and makes the changes of the transaction one atomic group.
  ///
  /// If the transaction is already part of a group, the changes become part of that group.
  ///
  /// - Throws: ``StorageError/Code/tooLarge`` if no packet can contain the group, and all errors of
  ///   `body`, unchanged.
  package func writeGroup<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try database.write(lock: .immediate) { db in
      let outer: String? = try db.fetchValue("SELECT group_id FROM sync_clock")
      guard outer == nil else { return try body(db) }
      let last: Int64 = try db.fetchValue("SELECT coalesce(max(local_id), 0) FROM sync_to_sync")
      let group = environment.makeIdentifier()
      try db.execute("UPDATE sync_clock SET group_id = \(group)")
      let result = try body(db)
      try db.execute("UPDATE sync_clock SET group_id = NULL")
      let count: Int = try db.fetchValue(
        """
        SELECT count(*) FROM sync_to_sync o JOIN sync_scope s USING (scope_id)
        WHERE local_id > \(last) AND group_id = \(group) AND s.name = \(scope.text)
        """)
      guard count <= limits.operations else {
        throw StorageError(
          .tooLarge,
          """
          cannot change the scope \(quoted(scope.text)) in one atomic group: the group has \
          \(count) operations, but the server accepts a group only in one packet, which contains \
          at most \(limits.operations) operations
          """,
          suggestion: "divide the changes into several groups, or change the rows without a group",
          backend: "sync")
      }
      return result
    }
  }
}
