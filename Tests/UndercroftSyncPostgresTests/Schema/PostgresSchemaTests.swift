#if SyncPostgres
  import Dispatch
  import Synchronization
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  @testable import UndercroftSyncPostgres

  @Suite(.timeLimit(.hangLimit)) struct PostgresSchemaTests {
    @Test func `several processes can create the tables at the same time`() throws {
      let address = try PostgresCluster.shared.makeDatabase()
      let results = Mutex<[Result<PostgresSyncStore, any Error>]>([])

      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        let result = Result { try PostgresSyncStore(address) }
        results.withLock { $0.append(result) }
      }

      for result in results.withLock({ $0 }) {
        #expect(throws: Never.self) { try result.get().addBook() }
      }
      #expect(try PostgresSyncStore(address).head() == 8)
    }

    @Test func `tables that were created in part are completed`() throws {
      let address = try PostgresCluster.shared.makeDatabase()
      let statements = PostgresSchema.statements(collation: #" COLLATE "C""#)
      for statement in statements.prefix(4) { try SQLSession(address).run(statement) }

      let store = try PostgresSyncStore(address)

      #expect(try store.addBook() == 1)
    }

    @Test func `a database in another format is refused`() throws {
      let address = try PostgresCluster.shared.makeDatabase()
      _ = try PostgresSyncStore(address)
      try SQLSession(address).run("UPDATE sync_store SET format = 99")

      let error = storageError { _ = try PostgresSyncStore(address) }

      #expect(error?.code == .notSupported)
      #expect(error?.message.contains("99") == true)
      #expect(error?.suggestion != nil)
    }

    @Test func `a database in another encoding than UTF-8 is refused`() throws {
      let address = try PostgresCluster.shared.makeDatabase(
        "ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0")

      let error = storageError { _ = try PostgresSyncStore(address) }

      #expect(error?.code == .notSupported)
      #expect(error?.message.contains("LATIN1") == true)
      #expect(error?.suggestion?.contains("UTF8") == true)
    }

    @Test func `a user without the right to create tables uses existing tables only`() throws {
      let address = try PostgresCluster.shared.makeDatabase()
      let session = try SQLSession(address)
      try session.run(
        """
        DO $$ BEGIN CREATE ROLE librarian LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;
        REVOKE CREATE ON SCHEMA public FROM PUBLIC
        """)
      let limited = address.replacing("user=postgres", with: "user=librarian")

      let first = storageError { _ = try PostgresSyncStore(limited) }
      _ = try PostgresSyncStore(address)
      try session.run(
        """
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO librarian
        """)
      let store = try PostgresSyncStore(limited)

      #expect(first?.code == .accessDenied)
      #expect(first?.suggestion?.contains("grant") == true)
      #expect(try store.addBook() == 1)
    }

    @Test func `every key and index begins with the scope`() throws {
      let address = try PostgresCluster.shared.makeDatabase()
      _ = try PostgresSyncStore(address)

      let indexes = try SQLSession(address).run(
        "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'sync_store'")

      #expect(indexes.count == 10)
      for index in indexes { #expect(index[0]?.contains("(scope_id") == true, "\(index)") }
    }

    @Test func `names are compared by their bytes in a database with another collation`() throws {
      let address = try PostgresCluster.shared.makeDatabase()
      let store = try PostgresSyncStore(address)
      for title in ["é", "b", "B", "a"] { try store.addBook(title) }

      let names = try store.read(in: library) {
        try $0.records(in: "book", after: nil, limit: StoreLimit(count: 9))
          .map(\.dataIdentifier.text)
      }

      #expect(names == ["B", "a", "b", "é"])
    }
  }
#endif
