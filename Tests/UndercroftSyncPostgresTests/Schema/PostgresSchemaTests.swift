#if SyncPostgres
  import Dispatch
  import NetworkTestSupport
  import Synchronization
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncPostgres

  @Suite(.timeLimit(.hangLimit)) struct PostgresSchemaTests {
    private let database: TestDatabase

    init() throws { database = try TestDatabase() }

    @Test func `several processes can create the tables at the same time`() throws {
      let results = Mutex<[Result<PostgresSyncStore, any Error>]>([])

      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        let result = Result { try database.makeStore() }
        results.withLock { $0.append(result) }
      }

      for result in results.withLock({ $0 }) {
        #expect(throws: Never.self) { try result.get().addBook() }
      }
      #expect(try database.makeStore().head() == 8)
    }

    @Test func `tables that were created in part are completed`() throws {
      let statements = PostgresSchema.statements(collation: #" COLLATE "C""#)
      for statement in statements.prefix(4) { try database.run(statement) }

      let store = try database.makeStore()

      #expect(try store.addBook() == 1)
    }

    @Test func `a database in another format is refused`() throws {
      _ = try database.makeStore()
      try database.run("UPDATE sync_store SET format = 99")

      let error = storageError { _ = try database.makeStore() }

      #expect(error?.code == .notSupported)
      #expect(error?.message.contains("99") == true)
      #expect(error?.suggestion != nil)
    }

    @Test(arguments: ["LATIN1", "SQL_ASCII"], [false, true])
    func `a database in another encoding than UTF-8 is refused, also with tables`(
      encoding: String, hasTables: Bool
    ) throws {
      let database = try TestDatabase(
        "ENCODING '\(encoding)' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0")
      if hasTables {
        let statements = PostgresSchema.statements(collation: #" COLLATE "C""#)
        for statement in statements { try database.run(statement) }
      }

      let error = storageError { _ = try database.makeStore() }

      #expect(error?.code == .notSupported)
      #expect(error?.message.contains(encoding) == true)
      #expect(error?.suggestion?.contains("UTF8") == true)
    }

    @Test func `a schema that does not exist is reported`() throws {
      let address = "\(database.address) options='-c search_path=missing'"

      let error = storageError { _ = try PostgresSyncStore(address) }

      #expect(error?.code == .unavailable)
      #expect(error?.suggestion?.contains("search_path") == true)
    }

    @Test func `tables that do not exist are not created for a command that only reads`() throws {
      let error = storageError {
        _ = try PostgresSyncStore(
          database.address, options: PostgresSyncOptions(), createsTables: false)
      }
      let tables = try database.run("SELECT 1 FROM pg_class WHERE relname LIKE 'sync%'")

      #expect(error?.code == .unavailable)
      #expect(error?.suggestion != nil)
      #expect(tables.isEmpty)
    }

    @Test func `a user without the right to create tables uses existing tables only`() throws {
      let user = try database.makeUser()
      try database.run("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
      let limited = database.address(of: user)

      let first = storageError { _ = try PostgresSyncStore(limited) }
      _ = try database.makeStore()
      try database.run(
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(user)")
      let store = try PostgresSyncStore(limited)

      #expect(first?.code == .accessDenied)
      #expect(first?.suggestion?.contains("grant") == true)
      #expect(try store.addBook() == 1)
    }

    @Test func `every key and index begins with the scope`() throws {
      _ = try database.makeStore()

      let indexes = try database.run(
        "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'sync_store'")

      #expect(indexes.count == 10)
      for index in indexes { #expect(index[0]?.contains("(scope_id") == true, "\(index)") }
    }

    @Test func `names are compared by their bytes in a database with another collation`() throws {
      let store = try database.makeStore()
      for title in ["é", "b", "B", "a"] { try store.addBook(title) }

      let names = try store.read(in: library) {
        try $0.records(in: "book", after: nil, limit: StoreLimit(count: 9))
          .map(\.dataIdentifier.text)
      }

      #expect(names == ["B", "a", "b", "é"])
    }
  }
#endif
