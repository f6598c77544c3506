import UndercroftCore
import UndercroftFoundation
import UndercroftSync

extension SyncStoreConformance {
  private static let unlimited = StoreLimit(count: 100)

  /// The checks of the methods that return lists, and of the limits of the lists.
  static let lists: [SyncStoreConformance] = [
    SyncStoreConformance("rows are listed in the order of their versions, each once") { store in
      try store.write(in: scope) { transaction in
        for version: Int64 in [4, 2, 9, 7] {
          try transaction.put(SampleStored.record(DataIdentifier("b\(version)"), version))
        }
        try transaction.put(SampleStored.record("b4", 10, isDeleted: true))
      }
      try store.read(in: scope) { reader in
        try expect(try reader.records(after: 0, limit: unlimited).map(\.version), [2, 7, 9, 10])
        try expect(try reader.records(after: 7, limit: unlimited).map(\.version), [9, 10])
        try expect(try reader.records(after: 8, limit: unlimited).last?.isDeleted, true)
        try expect(try reader.records(after: 10, limit: unlimited), [])
        try expect(try reader.records(after: .max, limit: unlimited), [])
        try expect(try reader.records(after: .min, limit: unlimited).count, 4)
      }
    },
    SyncStoreConformance("the rows of a table are listed in the order of their identifiers") {
      store in
      try store.write(in: scope) { transaction in
        for (index, name) in ["é", "b", "B", "a", "ab"].enumerated() {
          try transaction.put(
            SampleStored.record(DataIdentifier(name), Int64(index + 1), isDeleted: name == "b"))
        }
        var other = SampleStored.record("b", 9)
        other.table = "Book"
        try transaction.put(other)
      }
      try store.read(in: scope) { reader in
        func names(
          _ last: DataIdentifier?, _ limit: StoreLimit = unlimited
        ) throws -> [String] {
          try reader.records(in: "book", after: last, limit: limit).map(\.dataIdentifier.text)
        }
        try expect(try names(nil), ["B", "a", "ab", "b", "é"])
        try expect(try names("a"), ["ab", "b", "é"])
        try expect(try names("aa", StoreLimit(count: 1)), ["ab"])
        try expect(try names(nil, StoreLimit(count: 9, bytes: 11)), ["B", "a"])
        try expect(try names("é"), [])
        try expect(try reader.records(in: "Book", after: nil, limit: unlimited).count, 1)
        try expect(try reader.records(in: "book", after: "ab", limit: unlimited)[0].isDeleted, true)
      }
    },
    SyncStoreConformance("a list of rows ends with the row that reaches the limit") { store in
      try store.write(in: scope) { transaction in
        for version: Int64 in 1...5 {
          let name = DataIdentifier("b\(version)")
          try transaction.put(SampleStored.record(name, version, bytes: 10))
        }
      }
      try store.read(in: scope) { reader in
        for (bytes, count) in [(1, 1), (10, 1), (11, 2), (20, 2), (49, 5), (50, 5), (51, 5)] {
          let limit = StoreLimit(count: 9, bytes: bytes)
          try expect(try reader.records(after: 0, limit: limit).count, count, "\(bytes) bytes")
        }
        for count in 0...6 {
          let limit = StoreLimit(count: count)
          try expect(try reader.records(after: 0, limit: limit).count, min(count, 5))
        }
      }
    },
    SyncStoreConformance("operations are listed in the order of their numbers") { store in
      try store.write(in: scope) { transaction in
        for sequence: Int64 in [3, 1, 5, 2, 4] {
          let name = OperationIdentifier("op\(9 - sequence)")
          try transaction.put(SampleStored.operation(name, of: "ann", at: sequence))
        }
        try transaction.put(SampleStored.operation("bob", of: "bob", at: 2))
        try transaction.put(SampleStored.operation("none", of: nil, at: nil))
      }
      try store.read(in: scope) { reader in
        func numbers(_ first: Int64, _ last: Int64, _ limit: StoreLimit) throws -> [Int64?] {
          try reader.operations(of: "ann", after: first, through: last, limit: limit)
            .map(\.sequence)
        }
        try expect(try numbers(0, 9, unlimited), [1, 2, 3, 4, 5])
        try expect(try numbers(1, 3, unlimited), [2, 3])
        try expect(try numbers(3, 3, unlimited), [])
        try expect(try numbers(0, 9, StoreLimit(count: 2)), [1, 2])
        try expect(try numbers(0, 9, StoreLimit(count: 9, bytes: 4)), [1, 2])
        try expect(try reader.operation(of: "ann", at: 4)?.operationIdentifier, "op5")
      }
    },
    SyncStoreConformance("an operation belongs to the replica that sent it last") { store in
      try store.write(in: scope) { transaction in
        try transaction.put(SampleStored.operation("op1", of: "ann", at: 1))
        try transaction.put(SampleStored.operation("op1", of: "bob", at: 4))
        try transaction.put(SampleStored.operation("op2", of: "ann", at: 1))
      }
      try store.read(in: scope) { reader in
        try expect(try reader.operation("op1")?.replica, "bob")
        try expect(try reader.operation(of: "bob", at: 4)?.operationIdentifier, "op1")
        try expect(try reader.operation(of: "ann", at: 1)?.operationIdentifier, "op2")
      }
    },
    SyncStoreConformance("conflicts are listed by account, version and identifier") { store in
      try store.write(in: scope) { transaction in
        for (name, version) in [("c3", 2), ("c1", 2), ("c2", 5), ("c0", 3)] {
          try transaction.put(
            SampleStored.conflict(ConflictIdentifier(name), Int64(version)))
        }
        try transaction.put(SampleStored.conflict("c1", 4, of: "bob"))
      }
      try store.read(in: scope) { reader in
        func names(_ first: Int64, _ last: Int64, _ limit: StoreLimit) throws -> [String] {
          try reader.conflicts(of: "ann", after: first, through: last, limit: limit)
            .map(\.conflictIdentifier.text)
        }
        try expect(try names(0, 9, unlimited), ["c1", "c3", "c0", "c2"])
        try expect(try names(2, 4, unlimited), ["c0"])
        try expect(try names(2, 2, unlimited), [])
        // The conflicts of a version are never separated.
        try expect(try names(0, 9, StoreLimit(count: 1)), ["c1", "c3"])
        try expect(try names(0, 9, StoreLimit(count: 2)), ["c1", "c3"])
        try expect(try names(0, 9, StoreLimit(count: 3)), ["c1", "c3", "c0"])
        try expect(try names(0, 9, StoreLimit(count: 9, bytes: 1)), ["c1", "c3"])
        try expect(try names(0, 9, StoreLimit(count: 9, bytes: 21)), ["c1", "c3", "c0"])
        let bobs = try reader.conflicts(of: "bob", after: 0, through: 9, limit: unlimited)
        try expect(bobs, [SampleStored.conflict("c1", 4, of: "bob")])
      }
    },
    SyncStoreConformance("a conflict is found by its identifier and account") { store in
      try store.write(in: scope) { transaction in
        try transaction.put(SampleStored.conflict("c1", 2))
        try transaction.put(SampleStored.conflict("c1", 3, of: "bob"))
        try transaction.put(SampleStored.conflict("c1", 4))
        try expect(try transaction.conflict("c1", of: "ann")?.version, 4)
      }
      try store.read(in: scope) { reader in
        try expect(try reader.conflict("c1", of: "ann"), SampleStored.conflict("c1", 4))
        try expect(
          try reader.conflict("c1", of: "bob"), SampleStored.conflict("c1", 3, of: "bob"))
        try expect(try reader.conflict("c1", of: "zoe"), nil)
        try expect(try reader.conflict("c2", of: "ann"), nil)
      }
    },
    SyncStoreConformance("the greatest version of the operations received by a time is found") {
      store in
      try store.write(in: scope) { transaction in
        for (name, processed, received) in [("a", 4, 10), ("b", 4, 20), ("c", 7, 30), ("d", 8, 25)]
        {
          try transaction.put(
            SampleStored.operation(
              OperationIdentifier(name), of: nil, at: nil, processedAt: Int64(processed),
              receivedAt: Int64(received)))
        }
      }
      try store.read(in: scope) { reader in
        for (time, version) in [(9, 0), (10, 4), (24, 4), (25, 8), (99, 8)] {
          try expect(
            try reader.version(receivedBy: Int64(time)), Int64(version), "time \(time)")
        }
      }
    },
  ]

  /// The checks of the methods that remove values.
  static let removals: [SyncStoreConformance] = [
    SyncStoreConformance("tombstones are removed up to a version, and live rows remain") { store in
      try store.write(in: scope) { transaction in
        for version: Int64 in 1...6 {
          let name = DataIdentifier("b\(version)")
          try transaction.put(SampleStored.record(name, version, isDeleted: version % 2 == 0))
        }
        try expect(try transaction.removeTombstones(through: 4), 2)
        try expect(try transaction.removeTombstones(through: 4), 0)
      }
      try store.read(in: scope) { reader in
        try expect(try reader.records(after: 0, limit: unlimited).map(\.version), [1, 3, 5, 6])
        try expect(try reader.record("b2", in: "book"), nil)
      }
    },
    SyncStoreConformance("retained tombstones remain until they are replaced") { store in
      let retained = SampleStored.record("b1", 1, isDeleted: true, isRetained: true)
      let other = SampleStored.record("b2", 2, isDeleted: true, isRetained: true)
      try store.write(in: scope) { transaction in
        try transaction.put(retained)
        try transaction.put(other)
        try transaction.put(SampleStored.record("b2", 3, isDeleted: true))
        try expect(try transaction.removeTombstones(through: 9), 1)
      }
      try store.read(in: scope) { reader in
        try expect(try reader.record("b1", in: "book"), retained)
        try expect(try reader.records(after: 0, limit: unlimited), [retained])
        try expect(try reader.records(in: "book", after: nil, limit: unlimited), [retained])
      }
    },
    SyncStoreConformance("operations are removed that were processed up to a version") { store in
      try store.write(in: scope) { transaction in
        for number: Int64 in 1...4 {
          let name = OperationIdentifier("op\(number)")
          try transaction.put(
            SampleStored.operation(name, of: "ann", at: number, processedAt: number))
        }
        try expect(try transaction.removeOperations(through: 2), 2)
        try expect(try transaction.removeOperations(through: .min), 0)
      }
      try store.read(in: scope) { reader in
        try expect(try reader.operation("op2"), nil)
        try expect(try reader.operation(of: "ann", at: 2), nil)
        try expect(try reader.operation(of: "ann", at: 3)?.operationIdentifier, "op3")
      }
    },
    SyncStoreConformance("conflicts of all accounts are removed up to a version") { store in
      try store.write(in: scope) { transaction in
        for version: Int64 in 1...3 {
          let name = ConflictIdentifier("c\(version)")
          try transaction.put(SampleStored.conflict(name, version))
          try transaction.put(SampleStored.conflict(name, version, of: "bob"))
        }
        try expect(try transaction.removeConflicts(through: 2), 4)
        let rest = try transaction.conflicts(of: "bob", after: 0, through: 9, limit: unlimited)
        try expect(rest, [SampleStored.conflict("c3", 3, of: "bob")])
      }
    },
    SyncStoreConformance("the operations of a removed replica remain, without a replica") { store in
      try store.write(in: scope) { transaction in
        try transaction.put(SampleStored.replica())
        try transaction.put(SampleStored.replica("bob"))
        try transaction.put(SampleStored.operation("op1", of: "ann", at: 1))
        try transaction.put(SampleStored.operation("op2", of: "bob", at: 1))
        try transaction.removeReplica("ann")
        try transaction.removeReplica("unknown")
        try transaction.put(SampleStored.operation("op3", of: "ann", at: 1))
      }
      try store.read(in: scope) { reader in
        try expect(try reader.replicas().map(\.replica), ["bob"])
        try expect(
          try reader.operation("op1"), SampleStored.operation("op1", of: nil, at: nil))
        try expect(try reader.operation(of: "bob", at: 1)?.operationIdentifier, "op2")
        try expect(try reader.operation(of: "ann", at: 1)?.operationIdentifier, "op3")
      }
    },
  ]
}
