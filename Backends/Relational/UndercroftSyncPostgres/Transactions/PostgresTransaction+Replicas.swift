#if SyncPostgres
  import UndercroftSync

  extension PostgresTransaction {
    func replica(_ replica: ReplicaIdentifier) throws -> StoredReplica? {
      if let pending = pending.replicas[replica] { return pending }
      let found = try run(PostgresCommand(.replica, [key.value, .text(replica.text)]))
      return try replicas(found).first
    }

    func replicas() throws -> [StoredReplica] {
      try replicas(try runAfterPending(PostgresCommand(.replicas, [key.value])))
    }

    private func replicas(_ result: PostgresResult) throws -> [StoredReplica] {
      try reporting { () throws(PostgresFailure) in
        try result.rows.map { (row) throws(PostgresFailure) in
          StoredReplica(
            replica: ReplicaIdentifier(try row.text(0)), account: try row.text(1),
            lastSequence: try row.int(2),
            lastOperation: try row.optionalText(3).map { OperationIdentifier($0) },
            chain: try row.optionalData(4), appliedCursor: try row.int(5),
            resultsThrough: try row.int(6), schemaVersion: try row.int(7),
            lastSeen: try row.int(8))
        }
      }
    }

    func put(_ replica: StoredReplica) { pending.put(replica) }

    func removeReplica(_ replica: ReplicaIdentifier) throws {
      let parameters: [PostgresValue] = [key.value, .text(replica.text)]
      prefetched.dropOperations()
      _ = try runAfterPending([
        PostgresCommand(.removeReplica, parameters), PostgresCommand(.orphanOperations, parameters),
      ])
    }
  }
#endif
