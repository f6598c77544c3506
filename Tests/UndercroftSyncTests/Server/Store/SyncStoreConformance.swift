import Foundation
import UndercroftCore
import UndercroftSync

/// A check of one guarantee that every ``SyncServerStore`` must fulfil.
///
/// The checks do not depend on a test library, so that authors of stores can run them in any.
struct SyncStoreConformance: Sendable, CustomStringConvertible {
  /// The guarantee as a sentence, which is the title of the check.
  let description: String
  /// The closure that runs the check on a new store, and throws if the guarantee is violated.
  let run: @Sendable (any SyncServerStore) throws -> Void

  init(_ description: String, _ run: @escaping @Sendable (any SyncServerStore) throws -> Void) {
    self.description = description
    self.run = run
  }

  static let all = values + lists + removals + transactions + crowds

  static let scope: ScopeIdentifier = "library"

  /// The error that a check throws if the guarantee is violated.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Throws a ``Failure`` if two values differ.
  static func expect<Value: Equatable>(
    _ value: Value, _ expected: Value, _ object: String = "the result"
  ) throws {
    guard value != expected else { return }
    throw Failure(description: "\(object) is \(value) instead of \(expected)")
  }
}

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
