#if SyncPostgres
  import UndercroftSync

  extension PostgresTransaction {
    func operation(_ operation: OperationIdentifier) throws -> StoredOperation? {
      if let pending = pending.operations[operation] { return pending }
      if let known = prefetched.operation(operation) { return known }
      let found = try run(PostgresCommand(.operation, [key.value, .text(operation.text)]))
      return try operations(found).first
    }

    func operation(
      of replica: ReplicaIdentifier, at sequence: Int64
    ) throws -> StoredOperation? {
      if let known = prefetched.operation(of: replica, at: sequence) { return known }
      let found = try runAfterPending(
        PostgresCommand(.operationOfReplica, [key.value, .text(replica.text), .int8(sequence)]))
      return try operations(found).first
    }

    func operations(
      of replica: ReplicaIdentifier, after first: Int64, through last: Int64, limit: StoreLimit
    ) throws -> [StoredOperation] {
      try operations(
        try runAfterPending(
          PostgresCommand(
            .operationsOfReplica,
            [
              key.value, .text(replica.text), .int8(first), .int8(last), .int8(limit.rows),
              .int8(Int64(limit.bytes)),
            ])))
    }

    private func operations(_ result: PostgresResult) throws -> [StoredOperation] {
      try reporting { () throws(PostgresFailure) in
        try result.rows.map { (row) throws(PostgresFailure) in try StoredOperation(row) }
      }
    }

    func version(receivedBy time: Int64) throws -> Int64 {
      let found = try runAfterPending(
        PostgresCommand(.versionReceivedBy, [key.value, .int8(time)]))
      return try reporting { () throws(PostgresFailure) in try found.first?.int(0) ?? 0 }
    }

    func put(_ operation: StoredOperation) throws {
      if pending.mustPrecede(operation) { try flush() }
      pending.put(operation)
      prefetched.drop(operation)
      try flushIfLarge()
    }

    func removeOperations(through version: Int64) throws -> Int {
      prefetched.dropOperations()
      return try runAfterPending(PostgresCommand(.removeOperations, [key.value, .int8(version)]))
        .changedCount
    }
  }

  extension StoredOperation {
    /// Creates the operation from the columns of the statements that select operations.
    init(_ row: PostgresResult.Row) throws(PostgresFailure) {
      self.init(
        operationIdentifier: OperationIdentifier(try row.text(0)),
        replica: try row.optionalText(1).map { ReplicaIdentifier($0) },
        sequence: try row.optionalInt(2), processedAt: try row.int(3),
        receivedAt: try row.int(4), body: try row.data(5))
    }
  }
#endif
