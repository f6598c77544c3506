import UndercroftCore
import UndercroftFoundation
import UndercroftSync
import UndercroftTesting

extension SyncStoreConformance {
  /// The error that a check throws to roll back a transaction.
  private struct Crash: Error, Equatable {
    let step: Int
  }

  /// The writes of a sample transaction, each as a separate closure.
  private static let steps: [@Sendable (any SyncServerTransaction) throws -> Void] = [
    { try $0.put(SampleStored.scope) }, { try $0.put(SampleStored.replica("bob")) },
    { try $0.put(SampleStored.record("b1", 5, isDeleted: true)) },
    { try $0.put(SampleStored.record("b2", 6)) },
    { try $0.put(SampleStored.operation("op1", of: "bob", at: 2, processedAt: 9)) },
    { try $0.put(SampleStored.operation("op2", of: "bob", at: 3)) },
    { try $0.put(SampleStored.conflict("c1", 6)) }, { try $0.removeReplica("ann") },
    { _ = try $0.removeTombstones(through: 9) }, { _ = try $0.removeOperations(through: 5) },
    { _ = try $0.removeConflicts(through: 9) },
  ]

  /// The values that a sample transaction can change in one scope of a store.
  struct Contents: Equatable {
    var scope: StoredScope?
    var replicas: [StoredReplica]
    var records: [StoredRecord]
    var operations: [StoredOperation?]
    var conflicts: [StoredConflict]

    init(_ reader: any SyncServerReader) throws {
      let all = StoreLimit(count: 1000)
      scope = try reader.scope()
      replicas = try reader.replicas().sorted { $0.replica < $1.replica }
      records = try reader.records(after: .min, limit: all)
      operations = try ["op1", "op2", "op3"].map { try reader.operation(OperationIdentifier($0)) }
      conflicts = try reader.conflicts(of: "ann", after: .min, through: .max, limit: all)
    }
  }

  /// The checks of transactions, which are committed completely or not at all.
  static let transactions: [SyncStoreConformance] = [
    SyncStoreConformance("a transaction sees its own changes") { store in
      try store.write(in: scope) { transaction in
        for step in steps.prefix(7) { try step(transaction) }
        let contents = try Contents(transaction)
        try expect(contents.scope, SampleStored.scope)
        try expect(contents.records.map(\.version), [5, 6])
        try expect(contents.operations.compactMap(\.self).count, 2)
        try expect(contents.conflicts.count, 1)
      }
    },
    SyncStoreConformance(
      "an error at any call rolls back the transaction and is rethrown unchanged"
    ) { store in
      try store.write(in: scope) { transaction in
        try transaction.put(StoredScope(epoch: "e0", head: 1))
        try transaction.put(SampleStored.replica())
        try transaction.put(SampleStored.record("b1", 1))
        try transaction.put(SampleStored.operation("op1", of: "ann", at: 1))
        try transaction.put(SampleStored.operation("op3", of: "ann", at: 2))
        try transaction.put(SampleStored.conflict("c1", 1))
      }
      let before = try store.read(in: scope) { try Contents($0) }
      for count in 0...steps.count {
        do {
          try store.write(in: scope) { transaction in
            for step in steps.prefix(count) { try step(transaction) }
            throw Crash(step: count)
          }
          throw ConformanceFailure("the store did not rethrow the error of the closure")
        } catch let crash as Crash {
          try expect(crash, Crash(step: count))
        }
        let after = try store.read(in: scope) { try Contents($0) }
        try expect(after, before, "the store after step \(count)")
      }
      try store.write(in: scope) { transaction in for step in steps { try step(transaction) } }
      let after = try store.read(in: scope) { try Contents($0) }
      try expect(after.scope, SampleStored.scope)
      try expect(after.replicas.map(\.replica), ["bob"])
      try expect(after.records.map(\.version), [6])
      try expect(after.conflicts, [])
    },
    SyncStoreConformance("an error in the first transaction of a scope leaves no scope") { store in
      do {
        try store.write(in: scope) { transaction in
          try transaction.put(SampleStored.scope)
          throw Crash(step: 0)
        }
      } catch is Crash {}
      try expect(try store.scopes(), [])
      try expect(try store.read(in: scope) { try $0.scope() }, nil)
    },
    SyncStoreConformance("an error that the closure of a read throws is rethrown unchanged") {
      store in
      do {
        try store.read(in: scope) { _ in throw Crash(step: 1) }
        throw ConformanceFailure("the store did not rethrow the error of the closure")
      } catch let crash as Crash {
        try expect(crash, Crash(step: 1))
      }
    },
  ]
}
