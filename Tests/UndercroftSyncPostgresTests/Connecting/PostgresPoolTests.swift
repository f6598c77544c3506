#if SyncPostgres
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncPostgres

  @Suite(.timeLimit(.hangLimit)) struct PostgresPoolTests {
    private let database: TestDatabase
    private let store: PostgresSyncStore

    init() throws {
      database = try TestDatabase()
      store = try database.makeStore(
        PostgresSyncOptions(
          maximumConnections: 1, poolTimeout: .milliseconds(50), statementTimeout: .seconds(1)))
    }

    @Test func `a transaction that gets no connection in time throws an error`() throws {
      try store.addBook()

      let error = try store.read(in: library) { reader in
        _ = try reader.scope()
        return storageError { _ = try store.head() }
      }

      #expect(error?.code == .unavailable)
      #expect(error?.suggestion?.contains("maximumConnections") == true)
      #expect(try store.head() == 1)
    }

    @Test func `connections that ended while they were not in use are replaced`() throws {
      try store.addBook()

      try database.endConnections()

      #expect(try store.addBook() == 2)
      try database.endConnections()
      #expect(try store.head() == 2)
    }

    @Test func `the scopes are listed again on another connection`() throws {
      try store.addBook()

      try database.endConnections()

      #expect(try store.scopes() == [library])
    }

    @Test func `a transaction whose connection ends before the commit runs again`() throws {
      var runs = 0

      try store.write(in: library) { transaction in
        runs += 1
        try transaction.put(StoredScope(epoch: "e", head: Int64(runs)))
        if runs == 1 { try database.endConnections() }
        _ = try transaction.replicas()
      }

      #expect(runs == 2)
      #expect(try store.head() == 2)
    }

    @Test func `a snapshot whose connection ends is read again`() throws {
      try store.addBook()
      var runs = 0

      let heads = try store.read(in: library) { reader in
        runs += 1
        let head = try reader.scope()?.head
        if runs == 1 { try database.endConnections() }
        return [head, try reader.records(after: 0, limit: StoreLimit(count: 9)).last?.version]
      }

      #expect(heads == [1, 1])
      #expect(runs == 2)
    }

    @Test func `a connection that ends during the commit leaves the outcome unknown`() throws {
      try store.addBook()
      // A deferred trigger runs when the transaction commits.
      try database.run(
        """
        CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER leave AFTER INSERT ON sync_record
          DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION leave();
        """)

      let error = storageError { try store.addBook("Emma") }

      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("not known") == true)
      #expect(error?.suggestion?.contains("again") == true)
      try database.run("DROP TRIGGER leave ON sync_record")
      #expect(try store.addBook() == 2)
    }
  }
#endif
