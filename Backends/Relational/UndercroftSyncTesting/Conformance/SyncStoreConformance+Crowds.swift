import Dispatch
import Synchronization
import UndercroftCore
import UndercroftFoundation
import UndercroftSync

extension SyncStoreConformance {
  private static let threads = DispatchQueue(
    label: "undercroft.conformance", attributes: .concurrent)

  /// The checks in which several threads use a store.
  static let crowds: [SyncStoreConformance] = [
    SyncStoreConformance("a read sees one snapshot while others write") { store in
      try put(version: 1, in: store)
      let hasWritten = DispatchSemaphore(value: 0)
      try store.read(in: scope) { reader in
        let before = try Contents(reader)
        threads.async {
          try? put(version: 2, in: store)
          hasWritten.signal()
        }
        // A store may also let the writer wait for the reader.
        _ = hasWritten.wait(timeout: .now() + 1)
        try expect(try Contents(reader), before, "the snapshot")
      }
    },
    SyncStoreConformance("with 32 writers, no version is visible before a smaller version") {
      store in
      let writers = 32
      let rounds = 8
      let failures = Mutex<[any Error]>([])
      let running = Mutex(writers)
      let done = DispatchGroup()
      for writer in 0..<writers {
        done.enter()
        threads.async {
          defer {
            running.withLock { $0 -= 1 }
            done.leave()
          }
          do {
            for round in 0..<rounds {
              try store.write(in: scope) { transaction in
                var stored = try transaction.scope() ?? StoredScope(epoch: "e")
                stored.head += 1
                let name = DataIdentifier("b\(writer)-\(round % 2)")
                try transaction.put(SampleStored.record(name, stored.head))
                try transaction.put(
                  SampleStored.operation(
                    OperationIdentifier("op\(stored.head)"), of: ReplicaIdentifier("r\(writer)"),
                    at: Int64(round)))
                try transaction.put(stored)
              }
            }
          } catch { failures.withLock { $0.append(error) } }
        }
      }
      var seen: [Int64: DataIdentifier] = [:]
      repeat {
        try store.read(in: scope) { reader in
          let head = try reader.scope()?.head ?? 0
          let rows = try reader.records(after: 0, limit: StoreLimit(count: 10_000))
          try expect(rows.last?.version ?? 0, head, "the last version of a snapshot")
          for row in rows {
            try expect(seen[row.version] ?? row.dataIdentifier, row.dataIdentifier)
            seen[row.version] = row.dataIdentifier
          }
          for version in 1...max(1, head) where head > 0 {
            let operation = try reader.operation(OperationIdentifier("op\(version)"))
            try expect(operation != nil, true, "the operation of version \(version)")
          }
        }
      } while running.withLock({ $0 > 0 })
      done.wait()
      if let failure = failures.withLock({ $0.first }) { throw failure }
      let head = try store.read(in: scope) { try $0.scope()?.head }
      try expect(head, Int64(writers * rounds), "the head")
    },
  ]

  private static func put(version: Int64, in store: any SyncServerStore) throws {
    try store.write(in: scope) { transaction in
      try transaction.put(StoredScope(epoch: "e", head: version))
      try transaction.put(SampleStored.replica(seen: version))
      try transaction.put(SampleStored.record("b1", version))
      try transaction.put(
        SampleStored.operation(OperationIdentifier("op\(version)"), of: "ann", at: version))
      try transaction.put(SampleStored.conflict("c1", version))
    }
  }
}
