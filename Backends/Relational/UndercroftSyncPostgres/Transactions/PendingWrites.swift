#if SyncPostgres
  import UndercroftCore
  import UndercroftSync

  /// The values that a transaction has stored, and that the server does not have yet.
  ///
  /// A packet stores hundreds of rows and operations. They are sent together, in one statement for
  /// each table, before the next list is read, before anything is removed, and with the commit.
  struct PendingWrites {
    /// The number of bytes at which the values are sent at once, to limit the memory.
    static let maximumBytes = 8 << 20

    private(set) var records: OrderedWrites<RowAddress, StoredRecord> = .init()
    private(set) var operations: OrderedWrites<OperationIdentifier, StoredOperation> = .init()
    private(set) var conflicts: OrderedWrites<ConflictKey, StoredConflict> = .init()
    private(set) var replicas: OrderedWrites<ReplicaIdentifier, StoredReplica> = .init()
    private(set) var scope: StoredScope?
    private(set) var bytes = 0

    mutating func put(_ record: StoredRecord) {
      records[record.address] = record
      bytes += record.body.count
    }

    mutating func put(_ operation: StoredOperation) {
      operations[operation.operationIdentifier] = operation
      bytes += operation.body.count
    }

    mutating func put(_ conflict: StoredConflict) {
      conflicts[ConflictKey(conflict.conflictIdentifier, of: conflict.account)] = conflict
      bytes += conflict.body.count
    }

    mutating func put(_ replica: StoredReplica) { replicas[replica.replica] = replica }

    mutating func put(_ scope: StoredScope) { self.scope = scope }

    /// Whether a value can only be stored after the pending values.
    ///
    /// One statement must not contain two rows with the same key, so only the last value of a key
    /// is sent. The value before it may have had the place of another operation in the chain of a
    /// replica, and must then be stored first.
    func mustPrecede(_ operation: StoredOperation) -> Bool {
      guard let pending = operations[operation.operationIdentifier] else { return false }
      return pending.replica != operation.replica || pending.sequence != operation.sequence
    }

    /// Whether a row with the same key and another version is pending.
    func mustPrecede(_ record: StoredRecord) -> Bool {
      guard let pending = records[record.address] else {
        return false
      }
      return pending.version != record.version
    }
  }

  /// Values by key, in the order in which their keys were first used.
  struct OrderedWrites<Key: Hashable, Value> {
    private var indices: [Key: Int] = [:]
    private(set) var values: [Value] = []

    subscript(key: Key) -> Value? {
      get { indices[key].map { values[$0] } }
      set {
        guard let newValue else { return }
        if let index = indices[key] {
          values[index] = newValue
        } else {
          indices[key] = values.count
          values.append(newValue)
        }
      }
    }
  }

  /// The key of a conflict in a scope.
  struct ConflictKey: Hashable {
    let account: ExactString
    let identifier: ConflictIdentifier

    init(_ identifier: ConflictIdentifier, of account: String) {
      self.account = ExactString(account)
      self.identifier = identifier
    }
  }

  extension StoredRecord {
    /// The key of the row in its scope.
    var address: RowAddress { RowAddress(table: table, dataIdentifier: dataIdentifier) }
  }
#endif
