import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

@Suite struct SQLiteSyncStoreTests {
  private func server(_ store: SQLiteSyncStore) -> SyncServer {
    SyncServer(store: store, environment: TestClock().environment)
  }

  @Test func `a reopened store has the same contents and gives the same answers`() throws {
    try withTemporaryDirectory { folder in
      let store = try SQLiteSyncStore(at: folder, shards: 2)
      var ann = try Device("ann", on: server(store))
      let start = ann
      let packet = ann.seal(.insert(["title": .text("Dune"), "raw": .blob(Data([0, 255]))]))
      let answer = try ann.push(packet)
      let contents = try ScopeContents(of: store)
      try store.close()

      let opened = try SQLiteSyncStore(at: folder, shards: 2)
      let again = try Device("ann", on: server(opened))

      #expect(try ScopeContents(of: opened) == contents)
      #expect(try again.push(packet) == answer)
      #expect(try again.rows == ["b1": ["title": .text("Dune"), "raw": .blob(Data([0, 255]))]])
      #expect(again.request().epoch == start.request().epoch)
    }
  }

  @Test func `scopes are distributed over the files of a store and are found after reopening`()
    throws
  {
    try withTemporaryDirectory { folder in
      let names = (0..<40).map { ScopeIdentifier("scope \($0)") }
      let store = try SQLiteSyncStore(at: folder, shards: 4, durability: .processDeath)
      for name in names { try store.write(in: name) { try $0.put(StoredScope(epoch: "e")) } }
      try store.close()

      let opened = try SQLiteSyncStore(at: folder, shards: 4, durability: .processDeath)
      #expect(try Set(opened.scopes()) == Set(names))
      for name in names { #expect(try opened.read(in: name) { try $0.scope() } != nil) }
      try opened.close()

      for shard in 0..<4 {
        let file = try Database(at: folder.appending(path: "sync-\(shard).sqlite"))
        let count = try file.fetchValue("SELECT count(*) FROM sync_scope", as: Int.self)
        #expect((1..<40).contains(count))
      }
    }
  }

  @Test func `the page caches of all files together are as large as those of one database`() {
    let (one, four, most) = (
      SQLiteSyncStore.options(of: 1, .powerLoss), SQLiteSyncStore.options(of: 4, .powerLoss),
      SQLiteSyncStore.options(of: 4096, .powerLoss)
    )

    #expect(one.pageCacheByteCount == DatabaseOptions().pageCacheByteCount)
    #expect(four.pageCacheByteCount == one.pageCacheByteCount / 4)
    #expect(most.pageCacheByteCount == 262_144)
  }

  @Test
  func `reopening a store with a different number of files than at its creation throws`() throws {
    try withTemporaryDirectory { folder in
      try SQLiteSyncStore(at: folder, shards: 2).close()

      for shards in [1, 3] {
        let error = #expect(throws: StorageError.self) {
          try SQLiteSyncStore(at: folder, shards: shards)
        }
        #expect(error?.code == .misuse)
        #expect(error?.message.contains("created as \"sync-0.sqlite\" with shards = 2") == true)
      }
      for shards in [0, -1, 4097] {
        let error = #expect(throws: StorageError.self) {
          try SQLiteSyncStore(at: folder, shards: shards)
        }
        #expect(error?.code == .misuse)
      }
    }
  }

  @Test func `opening a store of a later format throws`() throws {
    try withTemporaryDirectory { folder in
      try SQLiteSyncStore(at: folder).close()
      let file = try Database(at: folder.appending(path: "sync-0.sqlite"))
      try file.execute("UPDATE sync_store SET format = 2")
      try file.close()

      let error = #expect(throws: StorageError.self) { try SQLiteSyncStore(at: folder) }

      #expect(error?.code == .notSupported)
      #expect(error?.message.contains("format 2") == true)
    }
  }

  @Test
  func
    `a database whose unrelated table has the name of a sync table is refused and left unchanged`()
    throws
  {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "sync-0.sqlite")
      let file = try Database(at: url)
      try file.execute("CREATE TABLE sync_record(title TEXT)")
      try file.close()

      #expect(throws: StorageError.self) { try SQLiteSyncStore(at: folder) }

      let opened = try Database(at: url)
      #expect(try opened.fetchValue("SELECT count(*) FROM sqlite_schema", as: Int.self) == 1)
    }
  }

  @Test func `reading a damaged stored row throws an error that names the row`() throws {
    try withTemporaryDirectory { folder in
      let store = try SQLiteSyncStore(at: folder)
      var ann = try Device("ann", on: server(store))
      try ann.send(.insert(.title("Dune")))
      try store.close()
      let file = try Database(at: folder.appending(path: "sync-0.sqlite"))
      try file.execute("UPDATE sync_record SET body = x'7B'")
      try file.close()

      let opened = server(try SQLiteSyncStore(at: folder))
      let again = try Device("ann", on: opened)

      let pulled = #expect(throws: StorageError.self) { try again.page() }
      #expect(pulled?.code == .decodingFailed)
      #expect(pulled?.message.contains("stored row \"book/b1\"") == true)
      let update = ann.packet([ann.operation(.update(.title("Emma")))])
      #expect(throws: StorageError.self) { try again.server.push(update, account: "ann") }
    }
  }

  @Test func `every call on a closed store throws`() throws {
    try withTemporaryDirectory { folder in
      let store = try SQLiteSyncStore(at: folder)
      try store.close()

      #expect(throws: StorageError.self) { try store.read(in: "s") { try $0.scope() } }
      #expect(throws: StorageError.self) { try store.write(in: "s") { _ in } }
      #expect(throws: StorageError.self) { try store.scopes() }
    }
  }

  @Test func `every query of the store uses an index`() throws {
    try withTemporaryDirectory { folder in
      try SQLiteSyncStore(at: folder).close()
      let options = DatabaseOptions(planCheck: { warning in throw warning })
      let file = try Database(at: folder.appending(path: "sync-0.sqlite"), options)
      let plans: [SQL] = [
        "SELECT body FROM sync_record WHERE scope_id = 1 AND version > 5 ORDER BY version",
        """
        SELECT body FROM sync_operation WHERE scope_id = 1 AND replica = 'a' AND sequence > 5
          ORDER BY sequence
        """,
        """
        SELECT processed_at FROM sync_operation WHERE scope_id = 1 AND received_ms <= 5
          ORDER BY processed_at DESC LIMIT 1
        """,
        """
        SELECT body FROM sync_conflict
          WHERE scope_id = 1 AND account = 'a' AND version > 5 AND version <= 7
          ORDER BY version, conflict
        """,
        "SELECT version FROM sync_record WHERE scope_id = 1 AND is_deleted = 1 AND version < 5",
      ]

      for plan in plans {
        #expect(throws: Never.self) { try file.fetchAll(plan) { row in row.count } }
      }
    }
  }
}
