import UndercroftCore
import UndercroftFoundation
import UndercroftSync

extension SyncStoreConformance {
  /// The checks of the methods that store and return single values.
  static let values: [SyncStoreConformance] = [
    SyncStoreConformance("a scope that was never used is empty") { store in
      try store.read(in: scope) { reader in
        try expect(try reader.scope(), nil)
        try expect(try reader.replica("ann"), nil)
        try expect(try reader.replicas(), [])
        try expect(try reader.record("b1", in: "book"), nil)
        try expect(try reader.records(after: 0, limit: StoreLimit(count: 9)), [])
        try expect(try reader.operation("op1"), nil)
        try expect(try reader.operation(of: "ann", at: 1), nil)
        try expect(try reader.version(receivedBy: .max), 0)
      }
      try expect(try store.scopes(), [])
    },
    SyncStoreConformance("reading a stored value returns an equal value") { store in
      let operation = SampleStored.operation(
        "op1", of: "ann", at: 1, processedAt: .max, receivedAt: -1)
      let orphan = SampleStored.operation("op2", of: nil, at: nil)
      let new = StoredReplica(replica: "new", account: "")
      let empty = SampleStored.record("empty", 2, isDeleted: true, bytes: 0)
      try store.write(in: scope) { transaction in
        try transaction.put(SampleStored.scope)
        try transaction.put(SampleStored.replica())
        try transaction.put(new)
        try transaction.put(SampleStored.record("b1", 1, bytes: 100_000))
        try transaction.put(empty)
        try transaction.put(operation)
        try transaction.put(orphan)
        try transaction.put(SampleStored.conflict("c1", 1, bytes: 100_000))
      }
      try store.read(in: scope) { reader in
        try expect(try reader.scope(), SampleStored.scope)
        try expect(try reader.replica("ann"), SampleStored.replica())
        try expect(try reader.replica("new"), new)
        try expect(try reader.record("b1", in: "book")?.body.count, 100_000)
        try expect(try reader.record("empty", in: "book"), empty)
        try expect(try reader.operation("op1"), operation)
        try expect(try reader.operation(of: "ann", at: 1), operation)
        try expect(try reader.operation("op2"), orphan)
        let conflicts = try reader.conflicts(
          of: "ann", after: 0, through: 1, limit: StoreLimit(count: 9))
        try expect(conflicts, [SampleStored.conflict("c1", 1, bytes: 100_000)])
      }
      try expect(try store.scopes(), [scope])
    },
    SyncStoreConformance("storing a value replaces the value with the same key") { store in
      for version: Int64 in [1, 5, 3] {
        try store.write(in: scope) { transaction in
          try transaction.put(StoredScope(epoch: "e", head: version))
          try transaction.put(SampleStored.replica(seen: version))
          try transaction.put(SampleStored.record("b1", version, isDeleted: version == 5))
          try transaction.put(
            SampleStored.operation("op1", of: "ann", at: version, processedAt: version))
          try transaction.put(SampleStored.conflict("c1", version))
        }
      }
      try store.read(in: scope) { reader in
        let all = StoreLimit(count: 9)
        try expect(try reader.scope()?.head, 3)
        try expect(try reader.replicas(), [SampleStored.replica(seen: 3)])
        try expect(try reader.records(after: 0, limit: all), [SampleStored.record("b1", 3)])
        try expect(
          try reader.operations(of: "ann", after: 0, through: 9, limit: all).map(\.sequence), [3])
        try expect(try reader.operation(of: "ann", at: 5), nil)
        try expect(
          try reader.conflicts(of: "ann", after: 0, through: 9, limit: all),
          [SampleStored.conflict("c1", 3)])
      }
    },
    SyncStoreConformance("keys are compared by their bytes") { store in
      let names = ["\u{E9}", "e\u{301}", "E\u{301}", " ", "a b", "%", "'\"", "𝄞"]
      try store.write(in: scope) { transaction in
        for (index, name) in names.enumerated() {
          let version = Int64(index + 1)
          try transaction.put(SampleStored.replica(ReplicaIdentifier(name), seen: version))
          try transaction.put(SampleStored.record(DataIdentifier(name), version))
          var record = SampleStored.record("b1", version + 100)
          record.table = name
          try transaction.put(record)
          try transaction.put(
            SampleStored.operation(
              OperationIdentifier(name), of: ReplicaIdentifier(name), at: 1,
              processedAt: version))
          try transaction.put(SampleStored.conflict("c", version, of: name))
        }
      }
      try store.read(in: scope) { reader in
        for (index, name) in names.enumerated() {
          let version = Int64(index + 1)
          try expect(try reader.replica(ReplicaIdentifier(name))?.lastSeen, version, name)
          try expect(try reader.record(DataIdentifier(name), in: "book")?.version, version, name)
          try expect(try reader.record("b1", in: name)?.version, version + 100, name)
          try expect(
            try reader.operation(OperationIdentifier(name))?.processedAt, version, name)
          try expect(
            try reader.operation(of: ReplicaIdentifier(name), at: 1)?.processedAt, version, name)
          let conflicts = try reader.conflicts(
            of: name, after: 0, through: 99, limit: StoreLimit(count: 9))
          try expect(conflicts.map(\.version), [version], name)
        }
      }
    },
    SyncStoreConformance("the values of one scope are not visible in another scope") { store in
      let names: [ScopeIdentifier] = ["a", "b", "\u{E9}", "e\u{301}"]
      for (index, name) in names.enumerated() {
        try store.write(in: name) { transaction in
          try transaction.put(StoredScope(epoch: "e", head: Int64(index)))
          try transaction.put(SampleStored.replica(seen: Int64(index)))
          try transaction.put(SampleStored.record("b1", 1, bytes: index))
          try transaction.put(SampleStored.operation("op1", of: "ann", at: Int64(index + 1)))
          try transaction.put(SampleStored.conflict("c1", 1, bytes: index))
        }
      }
      try store.write(in: "c") { _ in }
      for (index, name) in names.enumerated() {
        try store.read(in: name) { reader in
          let all = StoreLimit(count: 9)
          try expect(try reader.scope()?.head, Int64(index))
          try expect(try reader.replicas().map(\.lastSeen), [Int64(index)])
          try expect(try reader.records(after: 0, limit: all).map(\.body.count), [index])
          try expect(try reader.operation("op1")?.sequence, Int64(index + 1))
          try expect(try reader.operation(of: "ann", at: Int64(index + 2)), nil)
          try expect(
            try reader.conflicts(of: "ann", after: 0, through: 9, limit: all).map(\.body.count),
            [index])
        }
      }
      try expect(Set(try store.scopes()), Set(names))
    },
  ]
}
