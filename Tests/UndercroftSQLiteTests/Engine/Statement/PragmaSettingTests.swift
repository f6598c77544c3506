import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of the settings that a `PRAGMA` is allowed to change, and of the calls in which this is
/// allowed.
@Suite struct PragmaSettingTests {
  private struct Refusal: Error {}

  private func library() throws -> Database {
    let database = try Database.inMemory()
    try Library.fill(database)
    return database
  }

  private func enforces(_ db: Connection) throws -> Bool {
    try db.fetchOne("PRAGMA foreign_keys") { row in try row[0] as Bool } ?? false
  }

  @Test(
    arguments: [
      ("PRAGMA foreign_keys = OFF", "writeWithoutTransaction"),
      ("pragma main.FOREIGN_KEYS(0)", "writeWithoutTransaction"),
      ("PRAGMA foreign_keys = ''", "writeWithoutTransaction"),
      ("PRAGMA synchronous = OFF", "durability"),
      ("PRAGMA cache_size = -100", "pageCacheByteCount"),
      ("PRAGMA wal_checkpoint", "checkpoint(_:)"),
      ("PRAGMA locking_mode = EXCLUSIVE", "write(lock: .exclusive)"),
      ("PRAGMA busy_timeout = 50", "lockTimeout"),
      ("PRAGMA busy_timeout = ''", "lockTimeout"),
      ("PRAGMA wal_autocheckpoint('')", "checkpoint(_:)"),
      ("PRAGMA wal_autocheckpoint = 0", "checkpoint(_:)"),
      ("PRAGMA writable_schema = ON", "ALTER"),
      ("PRAGMA query_only = ON", "isReadOnly"),
      ("PRAGMA journal_mode = OFF", "vacuum(into:)"),
      ("VACUUM", "vacuum()"),
    ] as [(SQL, String)])
  func `a PRAGMA that is harmful or ineffective in a transaction throws with a suggestion`(
    sql: SQL, suggestion: String
  ) throws {
    let database = try library()
    let error = #expect(throws: StorageError.self) {
      try database.execute(sql)
    }
    #expect(error?.code == .misuse)
    #expect(error?.message.contains(suggestion) == true)
    let inScript = #expect(throws: StorageError.self) {
      try database.write { db in try db.executeScript(sql) }
    }
    #expect(inScript?.code == .misuse)
    #expect(inScript?.message.contains(suggestion) == true)
  }

  @Test(
    arguments: [
      "PRAGMA foreign_keys", "PRAGMA foreign_keys = ON", "PRAGMA defer_foreign_keys = ON",
      "PRAGMA journal_mode", "PRAGMA locking_mode", "PRAGMA locking_mode = NORMAL",
      "PRAGMA writable_schema = OFF", "PRAGMA busy_timeout", "PRAGMA cache_size",
      "PRAGMA user_version = 7", "PRAGMA application_id = 7", "PRAGMA recursive_triggers",
      "PRAGMA query_only = OFF", "PRAGMA journal_mode = MEMORY", "PRAGMA auto_vacuum = INCREMENTAL",
      "PRAGMA incremental_vacuum(10)", "PRAGMA optimize", "PRAGMA optimize(0xfffe)",
      "PRAGMA integrity_check(5)", "PRAGMA quick_check", "PRAGMA table_info(book)",
      "PRAGMA foreign_key_list = loan", "PRAGMA index_list(loan)", "PRAGMA foreign_key_check(loan)",
      "PRAGMA shrink_memory", "PRAGMA legacy_alter_table = OFF", "PRAGMA encoding = 'UTF-8'",
      "PRAGMA page_size = 4096", "EXPLAIN PRAGMA foreign_keys",
    ] as [SQL])
  func `a PRAGMA that is effective in a transaction is run`(sql: SQL) throws {
    let database = try library()
    try database.execute(sql)
    try database.write { db in try db.executeScript(sql) }
  }

  @Test(arguments: ["DELETE", "truncate", "'persist'", "MEMORY", "Off"])
  func `a PRAGMA that would disable the write-ahead log of a file throws a misuse error`(
    mode: String
  ) throws {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      let sql = SQL(unchecked: "PRAGMA main.journal_mode = \(mode)")
      let calls: [() throws -> Void] = [
        { _ = try database.execute(sql) },
        { _ = try database.writeWithoutTransaction { db in try db.execute(sql) } },
        { _ = try database.read { db in try db.forEach(sql) { _ in } } },
      ]
      for call in calls {
        let error = #expect(throws: StorageError.self) { try call() }
        #expect(error?.code == .misuse)
        #expect(error?.message.contains("write-ahead log") == true)
      }
      let mode = try database.writeWithoutTransaction { db in
        try db.execute("PRAGMA journal_mode = WAL")
        return try db.journalMode()
      }

      #expect(mode == .writeAheadLog)
    }
  }

  @Test func `foreign keys can be disabled while a table is rebuilt, and are enforced afterwards`()
    throws
  {
    let database = try library()
    try database.execute("INSERT INTO loan(book) VALUES (1)")
    try database.writeWithoutTransaction { db in
      try db.execute("PRAGMA foreign_keys = OFF")
      try db.transaction { db in
        try db.executeScript(
          """
          CREATE TABLE new_book(id INTEGER PRIMARY KEY, title TEXT NOT NULL, shelf INTEGER);
          INSERT INTO new_book(id, title) SELECT id, title FROM book;
          DROP TABLE book;
          ALTER TABLE new_book RENAME TO book;
          """)
        let violations = try db.foreignKeyCheck()
        #expect(violations.isEmpty)
      }
      let isOff = try !enforces(db)
      #expect(isOff)
    }
    let isOn = try database.write { db in try enforces(db) }
    #expect(isOn)
    let error = #expect(throws: StorageError.self) {
      try database.execute("DELETE FROM book WHERE id = 1")
    }
    #expect(error?.code == .constraintViolated)
  }

  @Test
  func `after a closure disabled foreign keys and threw, keys and cascades are enforced again`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE book(id INTEGER PRIMARY KEY);
        CREATE TABLE loan(book INTEGER REFERENCES book(id) ON DELETE CASCADE);
        INSERT INTO book VALUES (1), (2);
        INSERT INTO loan VALUES (1), (2);
        """)
    }
    var reported: [String] = []
    let interceptor = TableInterceptor(of: ["loan"], before: { write in throw Refusal() })
    #expect(throws: Refusal.self) {
      try database.writeWithoutTransaction { db in
        try db.execute("PRAGMA foreign_keys = OFF")
        try db.execute("DELETE FROM book WHERE id = \(1)")
        let violations = try db.foreignKeyCheck()
        reported = violations.map(\.table)
        throw Refusal()
      }
    }
    #expect(reported == ["loan"])
    let registration = database.intercept(interceptor)
    #expect(throws: Refusal.self) { try database.execute("DELETE FROM book WHERE id = \(2)") }
    registration.cancel()
    try database.execute("DELETE FROM book WHERE id = \(2)")
    let left = try database.read { db in
      try db.fetchAll("SELECT book FROM loan") { try $0[0] as Int }
    }
    #expect(left == [1])
  }

  @Test
  func `after a writeWithoutTransaction call, foreign_keys has the set-up closure's value again`()
    throws
  {
    let database = try Database.inMemory(
      .init(setUp: { db in try db.execute("PRAGMA foreign_keys = OFF") }))
    try Library.fill(database)
    try database.writeWithoutTransaction { db in try db.execute("PRAGMA foreign_keys = ON") }
    try database.execute("INSERT INTO loan(book) VALUES (77)")

    #expect(try database.foreignKeyCheck().count == 1)
  }

  @Test func `a script with a forbidden PRAGMA throws without executing the PRAGMA`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url, .init(lockTimeout: .hangLimit))
      for sql in ["PRAGMA busy_timeout = 1", "SELECT 1; PRAGMA busy_timeout = 1"] as [SQL] {
        #expect(throws: StorageError.self) {
          try database.writeWithoutTransaction { db in try db.executeScript(sql) }
        }
      }
      #expect(throws: StorageError.self) {
        try database.execute("SELECT 1; PRAGMA busy_timeout = 1")
      }

      // The write would fail at once if the busy handler had been replaced.
      let other = try Database(at: url)
      let waiting = try other.write { _ in
        let waiting = inBackground { try database.execute("CREATE TABLE shelf(name TEXT)") }
        Thread.sleep(forTimeInterval: 0.2)
        return waiting
      }
      #expect(throws: Never.self) { try waiting.wait()?.get() }
    }
  }

  @Test(arguments: [
    "case_sensitive_like", "recursive_triggers", "ignore_check_constraints", "trusted_schema",
    "read_uncommitted", "reverse_unordered_selects", "automatic_index", "cell_size_check",
  ])
  func `a PRAGMA that changes one connection is accepted in the set-up closure and nowhere else`(
    name: String
  )
    throws
  {
    let database = try library()
    let sql = SQL(unchecked: "PRAGMA \(name) = ON")
    let calls: [() throws -> Void] = [
      { _ = try database.execute(sql) },
      { _ = try database.read { db in try db.forEach(sql) { _ in } } },
      { _ = try database.writeWithoutTransaction { db in try db.execute(sql) } },
      { _ = try database.writeWithoutTransaction { db in try db.executeScript(sql) } },
    ]
    for call in calls {
      let error = #expect(throws: StorageError.self) { try call() }
      #expect(error?.code == .misuse)
      #expect(error?.message.contains("DatabaseOptions.setUp") == true)
    }
    let ready = try Database.inMemory(.init(setUp: { db in try db.execute(sql) }))
    // `case_sensitive_like` has no query form, so its effect is tested.
    if name == "case_sensitive_like" {
      #expect(try ready.read { db in try db.fetchValue("SELECT 'Emma' LIKE 'emma'") } == false)
    } else {
      let isOn = try ready.read { db in
        try db.fetchValue(SQL(unchecked: "PRAGMA \(name)"), as: Bool.self)
      }
      #expect(isOn)
    }

    #expect(throws: StorageError.self) { try ready.execute(sql) }
  }

  @Test
  func `execute refuses PRAGMA threads even after the set-up closure of another database failed`()
    throws
  {
    let database = try library()
    #expect(throws: StorageError.self) {
      try Database.inMemory(.init(setUp: { db in try db.execute("PRAGMA query_only = ON") }))
    }
    #expect(throws: StorageError.self) { try database.execute("PRAGMA threads = 2") }
  }

  @Test(arguments: [
    "on", "ON", "yes", "True", "off", "no", "false", "full", "extra", "maybe", "''", "0", "1", "2",
    "00", "256", "257", "512", "0x0", "0x1", "0x01", "0X10", "0x100", "0x101", "'0xg'", "'1x'",
    "'0x1g'", "-1", "'+1'", "' 1'", "4294967296", "2147483647", "2147483648", "99999999999",
    "0x7fffffff", "0xffffffff", "0x80000001", "1.5", "'onn'", "'0x'",
  ])
  func `the database interprets the value of a boolean PRAGMA in the same way as SQLite`(
    value: String
  ) throws {
    let sql = SQL(unchecked: "PRAGMA foreign_keys = \(value)")
    let database = try Database.inMemory(.init(setUp: { db in try db.execute(sql) }))
    // A transaction accepts the value that is already set, and no other.
    try database.execute(sql)
    let other: SQL =
      try database.write { db in try enforces(db) }
      ? "PRAGMA foreign_keys = OFF" : "PRAGMA foreign_keys = ON"
    #expect(throws: StorageError.self) { try database.execute(other) }
    let opposite = try Database.inMemory(.init(setUp: { db in try db.execute(other) }))
    #expect(throws: StorageError.self) { try opposite.execute(sql) }
  }

  @Test
  func `a PRAGMA that was accepted before a transaction is refused inside the transaction`() throws
  {
    let database = try library()
    try database.writeWithoutTransaction { db in
      try db.execute("PRAGMA foreign_keys = ON")
      try db.execute("PRAGMA foreign_keys = OFF")
      // Run after the change of foreign keys, which invalidates the statements compiled before.
      try db.execute("PRAGMA wal_checkpoint")
      try db.transaction { db in
        #expect(throws: StorageError.self) { try db.execute("PRAGMA foreign_keys = ON") }
        let again = #expect(throws: StorageError.self) { try db.execute("PRAGMA wal_checkpoint") }
        #expect(again?.code == .misuse)
        #expect(again?.message.contains("checkpoint(_:)") == true)
        let isOn = try enforces(db)
        #expect(!isOn)
      }
    }
  }

  @Test(arguments: ["", "  ", "-- the books\n", "/* EXPLAIN */ ;"])
  func `EXPLAIN and validate(_:) do not change the setting of a PRAGMA`(before: String) throws {
    let database = try library()
    let off = "PRAGMA foreign_keys = OFF"
    try database.writeWithoutTransaction { db in
      for word in ["EXPLAIN", "explain query plan"] {
        let sql = SQL(unchecked: "\(before)\(word) \(off)")
        #expect(throws: StorageError.self) { try db.forEach(sql) { _ in } }
        #expect(throws: StorageError.self) { try db.executeScript(sql) }
      }
      let validated = #expect(throws: StorageError.self) {
        try db.validate(SQL(unchecked: before + off))
      }
      #expect(validated?.code == .misuse)
      #expect(validated?.message.contains("foreign_keys") == true)
      #expect(throws: StorageError.self) {
        try db.execute(SQL(unchecked: "SELECT 1;\(before) \(off)"))
      }
      try db.validate("PRAGMA foreign_keys")
      let isOn = try enforces(db)
      #expect(isOn)
    }
  }

  @Test(arguments: [
    "SELECT 1;", "SELECT 1 ; ;\n", "SELECT 1; -- the last one", "SELECT 1; /* no more",
    "SELECT 1;/**/",
    "SELECT 1;\u{c}\r\t -- *\n;/* -- */ ",
  ])
  func `comments and white space after a statement are ignored`(sql: String) throws {
    let database = try library()
    #expect(try database.read { db in try db.fetchValue(SQL(unchecked: sql)) } == 1)
    for more in ["\nSELECT 2", "\n)", "\n*/"] where !sql.contains("no more") {
      #expect(throws: StorageError.self) {
        try database.read { db in try db.fetchValue(SQL(unchecked: sql + more), as: Int.self) }
      }
    }
  }
}
