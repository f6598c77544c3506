#if SyncPostgres
  import UndercroftSync

  extension PostgresTransaction {
    func conflict(_ conflict: ConflictIdentifier, of account: String) throws -> StoredConflict? {
      if let pending = pending.conflicts[ConflictKey(conflict, of: account)] { return pending }
      let found = try run(
        PostgresCommand(.conflict, [key.value, .text(account), .text(conflict.text)]))
      return try conflicts(found).first
    }

    func conflicts(
      of account: String, after first: Int64, through last: Int64, limit: StoreLimit
    ) throws -> [StoredConflict] {
      try conflicts(
        try runAfterPending(
          PostgresCommand(
            .conflictsOfAccount,
            [
              key.value, .text(account), .int8(first), .int8(last), .int8(limit.rows),
              .int8(Int64(limit.bytes)),
            ])))
    }

    private func conflicts(_ result: PostgresResult) throws -> [StoredConflict] {
      try reporting { () throws(PostgresFailure) in
        try result.rows.map { (row) throws(PostgresFailure) in
          StoredConflict(
            conflictIdentifier: ConflictIdentifier(try row.text(0)), account: try row.text(1),
            version: try row.int(2), body: try row.data(3))
        }
      }
    }

    func put(_ conflict: StoredConflict) throws {
      pending.put(conflict)
      try flushIfLarge()
    }

    func removeConflicts(through version: Int64) throws -> Int {
      try runAfterPending(PostgresCommand(.removeConflicts, [key.value, .int8(version)]))
        .changedCount
    }
  }
#endif
