#if SyncPostgres
  import UndercroftCore
  import UndercroftSync

  extension PostgresTransaction {
    /// The maximum number of bytes in the bodies of rows that are read in advance.
    private static let prefetchedBytes = 16 << 20

    /// Reads rows and operations in one round trip: one statement for the operations, and one for
    /// the rows of each table.
    func prefetch(
      records: [(table: String, dataIdentifier: DataIdentifier)],
      operations: [OperationIdentifier]
    ) throws {
      let tables = Dictionary(grouping: records) { $0.table.exact }
        .map { table, records in
          (table: table, identifiers: Array(Set(records.map(\.dataIdentifier))))
        }
      let limit = Int64(Self.prefetchedBytes / max(1, tables.count))
      var commands = tables.map { table, identifiers in
        PostgresCommand(
          .recordsByKey,
          [
            key.value, .text(table.text), .textArray(identifiers.map(\.text)), .int8(limit),
          ])
      }
      if !operations.isEmpty {
        commands.append(
          PostgresCommand(.operationsByKey, [key.value, .textArray(operations.map(\.text))]))
      }
      // The pending values are stored first, so that what is read here contains them.
      let results = try runAfterPending(commands)
      try reporting { () throws(PostgresFailure) in
        for ((table, identifiers), result) in zip(tables, results) {
          try prefetched.addRecords(in: table, identifiers, result)
        }
        if !operations.isEmpty, let result = results.last {
          try prefetched.addOperations(operations, result)
        }
      }
    }
  }
#endif
