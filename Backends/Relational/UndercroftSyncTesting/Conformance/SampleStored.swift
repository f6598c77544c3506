import UndercroftCore
import UndercroftFoundation
import UndercroftSync

/// Sample values of a lending library, which the checks store.
enum SampleStored {
  static let scope = StoredScope(
    epoch: "e1", head: 1 << 53, floor: 7, hybridTimestamp: .maximum, liveRows: 3,
    digestSum: .max)

  static func replica(_ name: ReplicaIdentifier = "ann", seen: Int64 = 5) -> StoredReplica {
    StoredReplica(
      replica: name, account: "account of \(name)", lastSequence: 3, lastOperation: "op3",
      chain: Data(repeating: 0xFF, count: 32), appliedCursor: 9, resultsThrough: 2,
      schemaVersion: 4, lastSeen: seen)
  }

  static func record(
    _ name: DataIdentifier, _ version: Int64, isDeleted: Bool = false, bytes: Int = 10,
    isRetained: Bool = false
  ) -> StoredRecord {
    StoredRecord(
      table: "book", dataIdentifier: name, version: version, isDeleted: isDeleted,
      body: Data((0..<bytes).map { UInt8(truncatingIfNeeded: $0) }), isRetained: isRetained)
  }

  static func operation(
    _ name: OperationIdentifier, of replica: ReplicaIdentifier?, at sequence: Int64?,
    processedAt: Int64 = 1, receivedAt: Int64 = 1
  ) -> StoredOperation {
    StoredOperation(
      operationIdentifier: name, replica: replica, sequence: sequence, processedAt: processedAt,
      receivedAt: receivedAt, body: Data([0, 1, 2]))
  }

  static func conflict(
    _ name: ConflictIdentifier, _ version: Int64, of account: String = "ann", bytes: Int = 10
  ) -> StoredConflict {
    StoredConflict(
      conflictIdentifier: name, account: account, version: version,
      body: Data(repeating: 7, count: bytes))
  }
}
