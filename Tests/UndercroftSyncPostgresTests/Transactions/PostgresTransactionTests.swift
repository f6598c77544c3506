#if SyncPostgres
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncPostgres

  @Suite(.timeLimit(.hangLimit)) struct PostgresTransactionTests {
    private let database: TestDatabase
    private let store: PostgresSyncStore

    init() throws {
      database = try TestDatabase()
      store = try database.makeStore(PostgresSyncOptions(attempts: 4))
    }

    /// Lets the first `count` stores of a row fail with an error code.
    private func fail(_ count: Int, with state: String) throws {
      try database.run(
        """
        CREATE SEQUENCE attempts;
        CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF nextval('attempts') <= \(count) THEN
            RAISE EXCEPTION 'a conflict of the test' USING ERRCODE = '\(state)';
          END IF;
          RETURN NEW;
        END $$;
        CREATE TRIGGER fail BEFORE INSERT ON sync_record FOR EACH ROW EXECUTE FUNCTION fail();
        """)
    }

    // MARK: Conflicts

    @Test(arguments: ["40001", "40P01"])
    func `a transaction that conflicts with another runs again`(state: String) throws {
      try fail(3, with: state)
      var runs = 0

      try store.write(in: library) { transaction in
        runs += 1
        try transaction.put(StoredScope(epoch: "e", head: 1))
        try transaction.put(record("Emma", 1))
      }

      #expect(runs == 4)
      #expect(try store.books().map(\.dataIdentifier.text) == ["Emma"])
    }

    @Test func `a transaction that conflicts in every attempt throws an error`() throws {
      try fail(99, with: "40001")

      let error = storageError { try store.addBook() }

      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("40001") == true)
      #expect(error?.suggestion?.contains("attempts") == true)
      #expect(try store.head() == nil)
    }

    @Test(arguments: [
      ("53100", StorageError.Code.full, "free space"), ("53200", .unavailable, "memory"),
      ("54000", .tooLarge, "shorter names"), ("42501", .accessDenied, "grant"),
      ("25006", .unavailable, "primary"), ("57014", .unavailable, "statementTimeout"),
      ("58030", .io, "log of PostgreSQL"), ("XX001", .corrupted, "backup"),
    ])
    func `an error of the server has a code and a suggestion`(
      state: String, code: StorageError.Code, suggestion: String
    ) throws {
      try fail(99, with: state)

      let error = storageError { try store.addBook() }

      #expect(error?.code == code)
      #expect(error?.message.contains("SQLSTATE \(state)") == true)
      #expect(error?.suggestion?.contains(suggestion) == true)
      #expect(try store.head() == nil)
    }

    @Test func `another error of the server rolls back and is not repeated`() throws {
      try fail(1, with: "P0001")

      let error = storageError { try store.addBook() }

      #expect(error?.code == .io)
      #expect(try store.head() == nil)
      #expect(try store.addBook() == 1)
    }

    @Test func `a transaction whose failed command was ignored is not committed`() throws {
      try fail(99, with: "P0001")

      let error = storageError {
        try store.write(in: library) { transaction in
          try transaction.put(StoredScope(epoch: "e", head: 1))
          try transaction.put(record("Emma", 1))
          _ = try? transaction.records(after: 0, limit: StoreLimit(count: 9))
        }
      }

      #expect(error?.code == .io)
      #expect(try store.head() == nil)
    }

    // MARK: Rights

    @Test func `a database that is read-only can be read, and a change throws an error`() throws {
      try store.addBook()
      try database.run(
        """
        DO $$ BEGIN
          EXECUTE format(
            'ALTER DATABASE %I SET default_transaction_read_only = on', current_database());
        END $$
        """)
      // A standby has the same error code.
      let standby = try database.makeStore()

      let error = storageError { try standby.addBook() }

      #expect(error?.code == .unavailable)
      #expect(error?.suggestion?.contains("target_session_attrs") == true)
      #expect(try standby.head() == 1)
    }

    @Test func `a user with the right to read can read, and a change throws an error`() throws {
      try store.addBook()
      let user = try database.makeUser()
      try database.run("GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(user)")
      let limited = try PostgresSyncStore(database.address(of: user))

      let error = storageError { try limited.addBook() }

      #expect(error?.code == .accessDenied)
      #expect(error?.suggestion?.contains("grant") == true)
      #expect(try limited.head() == 1)
    }

    // MARK: Locks and timeouts

    @Test func `a transaction that waits too long for the lock of its scope throws an error`()
      throws
    {
      try store.addBook()
      let other = try SQLSession(database.address)
      try other.run("BEGIN; SELECT * FROM sync_scope FOR UPDATE")

      let impatient = try database.makeStore(PostgresSyncOptions(lockTimeout: .milliseconds(200)))

      let error = storageError { try impatient.addBook() }
      let head = try store.head()
      try other.run("ROLLBACK")

      #expect(error?.code == .locked)
      #expect(error?.suggestion?.contains("lockTimeout") == true)
      // Readers do not wait.
      #expect(head == 1)
      #expect(try store.addBook() == 2)
    }

    @Test func `a transaction of another scope does not wait`() throws {
      try store.addBook(in: "user:1")
      let other = try SQLSession(database.address)
      try other.run("BEGIN; SELECT * FROM sync_scope FOR UPDATE")

      let head = try store.addBook(in: "user:2")
      try other.run("ROLLBACK")

      #expect(head == 1)
    }

    @Test func `a statement that takes too long throws an error`() throws {
      try database.run(
        """
        CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$;
        CREATE TRIGGER wait BEFORE INSERT ON sync_record FOR EACH ROW EXECUTE FUNCTION wait();
        """)
      let impatient = try database.makeStore(PostgresSyncOptions(statementTimeout: .seconds(1)))

      let error = storageError { try impatient.addBook() }

      #expect(error?.code == .unavailable)
      #expect(error?.suggestion?.contains("statementTimeout") == true)
    }

    // MARK: Values

    @Test func `names of the maximum length are stored`() throws {
      var random = SystemRandomNumberGenerator()
      func name() -> String {
        let digits = (0..<64).map { _ in String(random.next() | 1 << 63, radix: 16) }
        return digits.joined()
      }
      let (scope, table, book) = (ScopeIdentifier(name()), name(), DataIdentifier(name()))
      let account = name()

      try store.write(in: scope) { transaction in
        try transaction.put(StoredScope(epoch: "e", head: 1))
        try transaction.put(
          StoredRecord(
            table: table, dataIdentifier: book, version: 1, isDeleted: false, body: Data([1])))
        try transaction.put(
          StoredConflict(
            conflictIdentifier: ConflictIdentifier(name()), account: account, version: 1,
            body: Data([2])))
        try transaction.put(StoredReplica(replica: ReplicaIdentifier(name()), account: account))
      }

      #expect(scope.text.utf8.count == 1024)
      let found = try store.read(in: scope) { try $0.record(book, in: table) }
      #expect(found?.body == Data([1]))
      let conflicts = try store.read(in: scope) {
        try $0.conflicts(of: account, after: 0, through: 9, limit: StoreLimit(count: 9))
      }
      #expect(conflicts.count == 1)
    }

    @Test func `a name that is too long for an index is refused`() throws {
      var random = SystemRandomNumberGenerator()
      let digits = (0..<2_000).map { _ in String(random.next() | 1 << 63, radix: 16) }

      let error = storageError { try store.addBook(digits.joined()) }

      #expect(error?.code == .tooLarge)
      #expect(error?.suggestion?.contains("shorter names") == true)
      #expect(try store.addBook() == 1)
    }

    @Test func `a name with a NUL character is refused`() throws {
      let error = storageError { try store.addBook("Em\0ma") }

      #expect(error?.code == .invalidKey)
      #expect(error?.suggestion != nil)
      #expect(try store.addBook() == 1)
    }

    @Test func `many large rows in one transaction are stored`() throws {
      let body = Data(repeating: 7, count: 1 << 20)

      try store.write(in: library) { transaction in
        try transaction.put(StoredScope(epoch: "e", head: 20))
        for version: Int64 in 1...20 {
          try transaction.put(
            StoredRecord(
              table: "book", dataIdentifier: DataIdentifier("book \(version)"), version: version,
              isDeleted: false, body: body))
        }
      }

      let page = try store.read(in: library) {
        try $0.records(after: 0, limit: StoreLimit(count: 100, bytes: 3 << 20))
      }
      #expect(page.map(\.version) == [1, 2, 3])
      #expect(try store.books().count == 20)
    }

    @Test func `operations that exchange their places in a chain are stored in order`() throws {
      func operation(_ name: OperationIdentifier, at sequence: Int64) -> StoredOperation {
        StoredOperation(
          operationIdentifier: name, replica: "ann", sequence: sequence, processedAt: 1,
          receivedAt: 1, body: Data())
      }
      try store.write(in: library) { transaction in
        try transaction.put(operation("op1", at: 1))
        try transaction.put(operation("op2", at: 2))
      }

      try store.write(in: library) { transaction in
        try transaction.put(operation("op1", at: 3))
        try transaction.put(operation("op2", at: 1))
        try transaction.put(operation("op1", at: 2))
      }

      let names = try store.read(in: library) {
        try $0.operations(of: "ann", after: 0, through: 9, limit: StoreLimit(count: 9))
          .map(\.operationIdentifier)
      }
      #expect(names == ["op2", "op1"])
    }

    @Test func `a transaction that is used after its closure throws an error`() throws {
      var escaped: (any SyncServerTransaction)?
      try store.write(in: library) { escaped = $0 }

      let error = storageError { _ = try escaped?.replicas() }

      #expect(error?.code == .misuse)
      #expect(try store.addBook() == 1)
    }

    private func record(_ name: DataIdentifier, _ version: Int64) -> StoredRecord {
      StoredRecord(
        table: "book", dataIdentifier: name, version: version, isDeleted: false, body: Data([1]))
    }
  }
#endif
