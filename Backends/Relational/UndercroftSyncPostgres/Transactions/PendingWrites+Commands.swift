#if SyncPostgres
  import UndercroftSync

  extension PendingWrites {
    /// Returns the commands that store all values, each table in one statement.
    func commands(in key: ScopeKey) -> [PostgresCommand] {
      var commands: [PostgresCommand] = []
      if let scope { commands.append(Self.command(scope, key)) }
      commands += replicas.values.map { Self.command($0, key) }
      if !records.values.isEmpty { commands.append(Self.command(records.values, key)) }
      if !operations.values.isEmpty { commands.append(Self.command(operations.values, key)) }
      if !conflicts.values.isEmpty { commands.append(Self.command(conflicts.values, key)) }
      return commands
    }

    private static func command(_ scope: StoredScope, _ key: ScopeKey) -> PostgresCommand {
      PostgresCommand(
        .putScope,
        [
          key.value, .text(scope.epoch.text), .int8(scope.head), .int8(scope.floor),
          .int8(scope.hybridTimestamp.rawValue), .int8(scope.liveRows),
          .int8(Int64(bitPattern: scope.digestSum)),
        ])
    }

    private static func command(_ replica: StoredReplica, _ key: ScopeKey) -> PostgresCommand {
      PostgresCommand(
        .putReplica,
        [
          key.value, .text(replica.replica.text), .text(replica.account),
          .int8(replica.lastSequence),
          replica.lastOperation.map { .text($0.text) } ?? .null,
          replica.chain.map { .bytes($0) } ?? .null, .int8(replica.appliedCursor),
          .int8(replica.resultsThrough), .int8(replica.schemaVersion), .int8(replica.lastSeen),
        ])
    }

    private static func command(_ records: [StoredRecord], _ key: ScopeKey) -> PostgresCommand {
      PostgresCommand(
        .putRecords,
        [
          key.value, .textArray(records.map(\.table)),
          .textArray(records.map(\.dataIdentifier.text)), .int8Array(records.map(\.version)),
          .int2Array(records.map(\.deletion)), .bytesArray(records.map(\.body)),
        ])
    }

    private static func command(
      _ operations: [StoredOperation], _ key: ScopeKey
    ) -> PostgresCommand {
      PostgresCommand(
        .putOperations,
        [
          key.value, .textArray(operations.map(\.operationIdentifier.text)),
          .textArray(operations.map { $0.replica?.text }), .int8Array(operations.map(\.sequence)),
          .int8Array(operations.map(\.processedAt)), .int8Array(operations.map(\.receivedAt)),
          .bytesArray(operations.map(\.body)),
        ])
    }

    private static func command(_ conflicts: [StoredConflict], _ key: ScopeKey) -> PostgresCommand {
      PostgresCommand(
        .putConflicts,
        [
          key.value, .textArray(conflicts.map(\.account)),
          .textArray(conflicts.map(\.conflictIdentifier.text)),
          .int8Array(conflicts.map(\.version)), .bytesArray(conflicts.map(\.body)),
        ])
    }
  }

  extension StoredRecord {
    /// The value in the column `is_deleted` for a tombstone that is never removed.
    static let retained: Int64 = 2

    fileprivate var deletion: Int16 { isDeleted ? isRetained ? 2 : 1 : 0 }
  }
#endif
