import UndercroftSync

/// A change of the store of a server, which can be repeated on another store.
enum StoreChange: Sendable {
  case scope(StoredScope)
  case replica(StoredReplica)
  case record(StoredRecord)
  case operation(StoredOperation)
  case conflict(StoredConflict)
  case removedReplica(ReplicaIdentifier)
  case removedTombstones(through: Int64)
  case removedOperations(through: Int64)
  case removedConflicts(through: Int64)

  func repeated(in transaction: any SyncServerTransaction) throws {
    switch self {
    case .scope(let scope): try transaction.put(scope)
    case .replica(let replica): try transaction.put(replica)
    case .record(let record): try transaction.put(record)
    case .operation(let operation): try transaction.put(operation)
    case .conflict(let conflict): try transaction.put(conflict)
    case .removedReplica(let replica): try transaction.removeReplica(replica)
    case .removedTombstones(let version): try transaction.removeTombstones(through: version)
    case .removedOperations(let version): try transaction.removeOperations(through: version)
    case .removedConflicts(let version): try transaction.removeConflicts(through: version)
    }
  }
}

/// The error that ends a simulated server process at an access to its store.
struct SimulatedCrash: Error {}
