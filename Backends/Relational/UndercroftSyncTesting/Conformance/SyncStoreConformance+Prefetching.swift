import UndercroftCore
import UndercroftFoundation
import UndercroftSync

extension SyncStoreConformance {
  private static let rows: [(table: String, dataIdentifier: DataIdentifier)] = [
    ("book", "b1"), ("book", "b2"), ("book", "none"), ("loan", "b1"), ("none", "b1"),
    ("book", "b1"), ("book", "e\u{301}"),
  ]
  private static let operations: [OperationIdentifier] = ["op1", "op2", "op3", "none", "op1"]

  private static func prefetch(in transaction: any SyncServerTransaction) throws {
    try transaction.prefetch(records: rows, operations: operations)
  }

  private static var loan: StoredRecord {
    var loan = SampleStored.record("b1", 3, bytes: 0)
    loan.table = "loan"
    return loan
  }

  /// Stores three rows and three operations, of which the last one is in no chain.
  private static func fill(_ store: some SyncServerStore) throws {
    try store.write(in: scope) { transaction in
      try transaction.put(StoredScope(epoch: "e", head: 3))
      try transaction.put(SampleStored.replica())
      try transaction.put(SampleStored.record("b1", 1))
      try transaction.put(SampleStored.record("b2", 2, isDeleted: true))
      try transaction.put(loan)
      try transaction.put(SampleStored.operation("op1", of: "ann", at: 1, processedAt: 1))
      try transaction.put(SampleStored.operation("op2", of: "ann", at: 2, processedAt: 2))
      try transaction.put(SampleStored.operation("op3", of: nil, at: nil, processedAt: 9))
    }
  }

  /// The checks of reads that were announced with `prefetch(records:operations:)`.
  static let prefetching: [SyncStoreConformance] = [
    SyncStoreConformance("announced values, and values that do not exist, are read as others") {
      store in
      try store.write(in: scope) { transaction in
        try prefetch(in: transaction)
        try expect(try transaction.record("b1", in: "book"), nil)
        try expect(try transaction.operation("op1"), nil)
        try expect(try transaction.operation(of: "ann", at: 1), nil)
        try transaction.prefetch(records: [], operations: [])
      }
      try fill(store)
      try store.write(in: scope) { transaction in
        try prefetch(in: transaction)
        for _ in 0..<2 {
          try expect(try transaction.record("b1", in: "book"), SampleStored.record("b1", 1))
          try expect(
            try transaction.record("b2", in: "book"),
            SampleStored.record("b2", 2, isDeleted: true))
          try expect(try transaction.record("b1", in: "loan"), loan)
          try expect(try transaction.record("none", in: "book"), nil)
          try expect(try transaction.record("b1", in: "none"), nil)
          try expect(try transaction.record("\u{E9}", in: "book"), nil)
          try expect(try transaction.operation("op1")?.sequence, 1)
          try expect(try transaction.operation("op3")?.processedAt, 9)
          try expect(try transaction.operation("none"), nil)
          try expect(
            try transaction.operation(of: "ann", at: 2)?.operationIdentifier, "op2")
          try expect(try transaction.operation(of: "ann", at: 3), nil)
          try expect(try transaction.operation(of: "bob", at: 1), nil)
        }
      }
    },
    SyncStoreConformance("announced values are read as the transaction has changed them") { store in
      try fill(store)
      try store.write(in: scope) { transaction in
        try prefetch(in: transaction)
        let changed = SampleStored.record("b1", 4, isDeleted: true, isRetained: true)
        try transaction.put(changed)
        try transaction.put(SampleStored.record("none", 5))
        try transaction.put(SampleStored.operation("op1", of: "ann", at: 3, processedAt: 4))
        try transaction.put(SampleStored.operation("none", of: "ann", at: 1, processedAt: 5))
        func requireChanges() throws {
          try expect(try transaction.record("b1", in: "book"), changed)
          try expect(try transaction.record("none", in: "book"), SampleStored.record("none", 5))
          try expect(try transaction.record("b2", in: "book")?.version, 2)
          try expect(try transaction.operation("op1")?.processedAt, 4)
          try expect(try transaction.operation("none")?.sequence, 1)
          try expect(
            try transaction.operation(of: "ann", at: 1)?.operationIdentifier, "none")
          try expect(
            try transaction.operation(of: "ann", at: 2)?.operationIdentifier, "op2")
          try expect(try transaction.operation(of: "ann", at: 3)?.operationIdentifier, "op1")
        }
        try requireChanges()
        // A store may store collected values before it reads a list.
        let versions = try transaction.records(after: 0, limit: StoreLimit(count: 9))
        try expect(versions.map(\.version), [2, 3, 4, 5])
        try requireChanges()
        try transaction.put(SampleStored.record("b2", 6))
        try prefetch(in: transaction)
        try requireChangedVersion(6, of: "b2", in: transaction)
        try transaction.put(SampleStored.record("b2", 7))
        try requireChangedVersion(7, of: "b2", in: transaction)
      }
      try store.read(in: scope) { reader in
        try expect(try reader.record("b2", in: "book")?.version, 7)
        try expect(try reader.operation(of: "ann", at: 3)?.operationIdentifier, "op1")
      }
    },
    SyncStoreConformance("announced values that the transaction removes are not read") { store in
      try fill(store)
      try store.write(in: scope) { transaction in
        try prefetch(in: transaction)
        try transaction.removeReplica("ann")
        try expect(try transaction.operation(of: "ann", at: 2), nil)
        try expect(try transaction.operation("op2")?.replica, nil)
        try prefetch(in: transaction)
        try transaction.removeTombstones(through: 9)
        try transaction.removeOperations(through: 2)
        try expect(try transaction.record("b2", in: "book"), nil)
        try expect(try transaction.record("b1", in: "book")?.version, 1)
        try expect(try transaction.operation("op2"), nil)
        try expect(try transaction.operation("op3")?.processedAt, 9)
      }
    },
    SyncStoreConformance("announced rows with many bytes are read completely") { store in
      let names = (1...6).map { DataIdentifier("b\($0)") }
      try store.write(in: scope) { transaction in
        for (index, name) in names.enumerated() {
          try transaction.put(SampleStored.record(name, Int64(index + 1), bytes: 4 << 20))
        }
      }
      try store.write(in: scope) { transaction in
        try transaction.prefetch(records: names.map { ("book", $0) }, operations: [])
        for name in names {
          try expect(try transaction.record(name, in: "book")?.body.count, 4 << 20, name.text)
        }
      }
    },
  ]

  private static func requireChangedVersion(
    _ version: Int64, of name: DataIdentifier, in transaction: any SyncServerTransaction
  ) throws {
    try expect(try transaction.record(name, in: "book")?.version, version, name.text)
  }
}
