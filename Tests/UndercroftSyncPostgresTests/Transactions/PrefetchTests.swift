#if SyncPostgres
  import Foundation
  import Synchronization
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncPostgres

  /// Tests of values that are read together.
  ///
  /// Other connections change the tables meanwhile, which only a further read would notice.
  @Suite(.timeLimit(.hangLimit)) struct PrefetchTests {
    private let database: TestDatabase
    private let store: PostgresSyncStore

    init() throws {
      database = try TestDatabase()
      store = try database.makeStore()
    }

    @Test func `announced values are read with one message`() throws {
      try store.addBook("Emma")
      try store.write(in: library) { transaction in
        try transaction.put(
          StoredOperation(
            operationIdentifier: "op1", replica: "ann", sequence: 1, processedAt: 1, receivedAt: 1,
            body: Data([1])))
      }

      try store.write(in: library) { transaction in
        try transaction.prefetch(
          records: [("book", "Emma"), ("book", "Persuasion")], operations: ["op1", "op2"])
        try database.run("DELETE FROM sync_record; DELETE FROM sync_operation")
        let emma = try transaction.record("Emma", in: "book")
        let persuasion = try transaction.record("Persuasion", in: "book")
        let operations = try ["op1", "op2"].map {
          try transaction.operation(OperationIdentifier($0))?.sequence
        }
        let first = try transaction.operation(of: "ann", at: 1)

        #expect(emma?.version == 1)
        #expect(persuasion == nil)
        #expect(operations == [1, nil])
        #expect(first?.operationIdentifier == "op1")
      }
    }

    @Test func `a packet reads its rows before its first operation is applied`() throws {
      let changedCount = Mutex(0)
      let server = SyncServer(
        store: store,
        validate: { [database] change in
          guard change.kind == .update else { return nil }
          let changed = try? database.run("UPDATE sync_record SET body = '\\x00' RETURNING version")
          changedCount.withLock { $0 += changed?.count ?? 0 }
          return nil
        }, access: { _, _ in .readWrite })
      let epoch = try server.restoreEpoch(of: library)
      let books = ["Emma", "Persuasion", "Ulysses"]
      let insertions = packet(books, in: epoch) { .insert(["title": .text($0)]) }
      _ = try server.push(insertions, account: "ann")

      let updates = packet(books, in: epoch, after: insertions.chainAfter) { _ in
        .update(["title": .text("A novel")])
      }
      let answer = try server.push(updates, account: "ann")

      guard case .results(let results) = answer else {
        Issue.record("the server has not applied the packet: \(answer)")
        return
      }
      #expect(results.results.suffix(3).map(\.status) == [.applied, .applied, .applied])
      #expect(changedCount.withLock { $0 } == 9)
      #expect(try server.verify(library) == [])
    }

    private func packet(
      _ books: [String], in epoch: Epoch, after chain: OperationChain = OperationChain(),
      _ change: (String) -> OperationChange
    ) -> SyncPacket {
      let operations = books.enumerated().map { index, book in
        SyncOperation(
          operationIdentifier: OperationIdentifier("\(chain.count)-\(book)"),
          sequence: chain.count + Int64(index) + 1, table: "book",
          dataIdentifier: DataIdentifier(book), change: change(book), timestamp: 1,
          hybridTimestamp: HybridTimestamp(milliseconds: 1),
          knowledge: AuthorKnowledge(
            base: chain.count == 0 ? 0 : Int64(index) + 1,
            seen: chain.count == 0 ? 0 : Int64(index) + 1, baseCursor: chain.count))
      }
      return SyncPacket(
        scope: library, epoch: epoch, replica: "ann", packet: "p\(chain.count)", after: chain,
        operations: operations)
    }
  }
#endif
