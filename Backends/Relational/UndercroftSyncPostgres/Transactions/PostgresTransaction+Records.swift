#if SyncPostgres
  import UndercroftSync

  extension PostgresTransaction {
    func record(_ dataIdentifier: DataIdentifier, in table: String) throws -> StoredRecord? {
      let address = RowAddress(table: table, dataIdentifier: dataIdentifier)
      if let pending = pending.records[address] { return pending }
      if let known = prefetched.record(at: address) { return known }
      let found = try run(
        PostgresCommand(.record, [key.value, .text(table), .text(dataIdentifier.text)]))
      return try records(found).first
    }

    func records(after version: Int64, limit: StoreLimit) throws -> [StoredRecord] {
      try records(
        try runAfterPending(
          PostgresCommand(
            .recordsByVersion,
            [key.value, .int8(version), .int8(limit.rows), .int8(Int64(limit.bytes))])))
    }

    func records(
      in table: String, after identifier: DataIdentifier?, limit: StoreLimit
    ) throws -> [StoredRecord] {
      try records(
        try runAfterPending(
          PostgresCommand(
            .recordsOfTable,
            // No identifier is empty.
            [
              key.value, .text(table), .text(identifier?.text ?? ""), .int8(limit.rows),
              .int8(Int64(limit.bytes)),
            ])))
    }

    private func records(_ result: PostgresResult) throws -> [StoredRecord] {
      try reporting { () throws(PostgresFailure) in
        try result.rows.map { (row) throws(PostgresFailure) in try StoredRecord(row) }
      }
    }

    func put(_ record: StoredRecord) throws {
      if pending.mustPrecede(record) { try flush() }
      pending.put(record)
      prefetched.drop(record)
      try flushIfLarge()
    }

    func removeTombstones(through version: Int64) throws -> Int {
      prefetched.dropRecords()
      return try runAfterPending(PostgresCommand(.removeTombstones, [key.value, .int8(version)]))
        .changedCount
    }
  }

  extension StoredRecord {
    /// Creates the row from the columns of the statements that select rows.
    init(_ row: PostgresResult.Row) throws(PostgresFailure) {
      let deletion = try row.int(3)
      self.init(
        table: try row.text(0), dataIdentifier: DataIdentifier(try row.text(1)),
        version: try row.int(2), isDeleted: deletion != 0, body: try row.data(4),
        isRetained: deletion == StoredRecord.retained)
    }
  }

  extension StoreLimit {
    /// The maximum number of rows, which is not negative.
    var rows: Int64 { Int64(max(0, count)) }
  }
#endif
