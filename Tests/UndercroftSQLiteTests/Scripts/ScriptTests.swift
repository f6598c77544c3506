import BehaviourTrait
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct ScriptTests {
  private struct Refusal: Error, Equatable { let row: Int }

  private static let tricky: SQL = """
    -- a comment; with a semicolon
    CREATE TABLE book(title TEXT); /* another; one */ ;;
    CREATE TABLE log(line TEXT, "semi;colon" TEXT);
    CREATE TRIGGER added AFTER INSERT ON book BEGIN
      INSERT INTO log(line) VALUES ('added; ' || new.title);
      SELECT CASE WHEN new.title = '' THEN RAISE(ABORT, 'empty; title') END;
    END;
    INSERT INTO book VALUES ('Who''s afraid; 图书'), ('semi;colon');
    -- the end
    """

  @Test(.behaviour("A-FM-32"))
  func `a script runs all statements despite semicolons in comments, names, text and triggers`()
    throws
  {
    let database = try Database.inMemory()
    let count = try database.write { db in try db.executeScript(Self.tricky) }
    #expect(count == 4)
    let lines = try database.read { db in
      try db.fetchAll("SELECT line FROM log") { row in try row[0] as String }
    }
    #expect(lines == ["added; Who's afraid; 图书", "added; semi;colon"])
    for script: SQL in ["", "  \n\t", ";;", "-- nothing", "/* nothing */"] {
      #expect(try database.read { db in try db.executeScript(script) } == 0)
    }
  }

  @Test(.behaviour("A-FM-32"))
  func `the row closure of a script receives the rows of all statements and can stop the script`()
    throws
  {
    let database = try Database.inMemory()
    let script: SQL = """
      SELECT 1 UNION ALL SELECT 2; CREATE TABLE a(x); SELECT 3; SELECT 4 UNION ALL SELECT 5;
      CREATE TABLE b(x)
      """
    for (last, count, tables) in [(2, 1, []), (4, 4, ["a"]), (9, 5, ["a", "b"])] {
      var seen: [Int] = []
      let result = try database.write { db in
        let count = try db.executeScript(script) { row in
          seen.append(try row[0])
          return seen.count < last ? .continue : .stop
        }
        #expect(try db.schema().map(\.name) == tables)
        try db.executeScript("DROP TABLE IF EXISTS a; DROP TABLE IF EXISTS b")
        return count
      }
      #expect(result == count)
      #expect(seen == Array(1...min(last, 5)))
    }
  }

  @Test(.behaviour("A-FM-32"))
  func `an error in a script names the statement and the line, and rolls back the write`() throws {
    let database = try Database.inMemory()
    for (bad, code) in [
      ("INSERT INTO absent VALUES (1)", StorageError.Code.misuse), ("INSERT INTO", .misuse),
      ("INSERT INTO a VALUES (NULL)", .constraintViolated), ("COMMIT", .misuse),
      ("CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1;", .misuse), ("SELECT 'open", .misuse),
    ] {
      let script = SQL(
        unchecked: "CREATE TABLE a(x NOT NULL);\n-- and now\n\n; \(bad);\nCREATE TABLE b(x)")
      let error = #expect(throws: StorageError.self) {
        try database.write { db in try db.executeScript(script) }
      }
      #expect(error?.code == code)
      #expect(
        error?.message.contains("statement 2 of the script, line 4") == true, "\(error as Any)")
      if bad == "INSERT INTO absent VALUES (1)" {
        #expect(error?.suggestion?.contains("create the table first") == true)
      }
      #expect(bad == "COMMIT" || error?.message.contains(String(bad.prefix(12))) == true)
      #expect(try database.read { db in try db.schema() } == [])
    }
    // If the error is caught inside the write, earlier statements remain.
    try database.write { db in
      _ = try? db.executeScript("CREATE TABLE a(x); NONSENSE; CREATE TABLE b(x)")
      try #expect(db.schema().map(\.name) == ["a"])
    }
  }

  @Test(arguments: [
    "INSERT INTO a VALUES (1, 'x;' || \"y;z\", `;`, [;] /* ; */); -- ;",
    "SELECT 'it''s; \(String(repeating: "long ", count: 100))' FROM absent;",
    "CREATE TEMP TRIGGER t AFTER INSERT ON b BEGIN SELECT 1; SELECT CASE 1 WHEN 1 THEN 2 END; END;",
    "EXPLAIN CREATE TRIGGER t AFTER INSERT ON b BEGIN SELECT 1; /* x */ END ;",
    "\u{FEFF}CREATE TRIGGER t AFTER INSERT ON b BEGIN SELECT 1; SELECT 2; END;",
    "CREATE TABLE a(trigger TEXT);", "BLAH \u{e9}nd;", "SELECT ( 1;",
  ])
  func `the error for a statement of a script contains the whole statement and no later statement`(
    bad: String
  ) throws {
    let database = try Database.inMemory()
    let script = SQL(unchecked: "CREATE TABLE a(x);\n\(bad)\nSELECT 'later'")

    let error = #expect(throws: StorageError.self) {
      try database.write { db in try db.executeScript(script) }
    }

    let sql = try #require((error?.underlying as? SQLiteError)?.sql)
    let end = try #require(bad.lastIndex(of: ";"))
    let whole = bad.hasSuffix("-- ;") ? String(bad.dropLast(5)) : String(bad[...end])
    #expect(sql == whole)
    #expect(error?.message.contains("later") == false)
  }

  @Test(arguments: [
    "SELECT 'open; SELECT x", "SELEKT 1", "CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END",
    "SELECT [open; SELECT 1", "SELEKT /* open; SELECT 1 *", "SELEKT 1 -", "SELEKT 1 --",
  ])
  func `the error for a last statement without a semicolon contains the rest of the script`(
    bad: String
  ) throws {
    let script = SQL(unchecked: "SELECT 1; \(bad)")

    let error = #expect(throws: StorageError.self) {
      try Database.inMemory().write { db in try db.executeScript(script) }
    }

    #expect((error?.underlying as? SQLiteError)?.sql == bad)
  }

  @Test(.timeLimit(.hangLimit))
  func `a script reports a syntax error in a trigger of 100,000 statements without hanging`()
    throws
  {
    let body = String(repeating: "SELECT 1; ", count: 100_000)
    let sql = "CREATE TRIGGER t AFTER INSERT ON a BEGIN \(body) NONSENSE; END;"

    let error = #expect(throws: StorageError.self) {
      try Database.inMemory().write { db in try db.executeScript(SQL(unchecked: sql)) }
    }

    #expect((error?.underlying as? SQLiteError)?.sql == sql)
  }

  @Test(arguments: [
    ("COMMIT", "remove the statement"), ("END", "remove the statement"),
    ("BEGIN", "remove the statement"), ("ROLLBACK", "throw an error"),
    ("SAVEPOINT a", "db.transaction"), ("RELEASE a", "db.transaction"),
    ("ROLLBACK TO a", "db.transaction"),
  ])
  func `the error for transaction control in a script suggests a fix for the refused statement`(
    sql: String, suggestion: String
  ) throws {
    let database = try Database.inMemory()

    let inside = #expect(throws: StorageError.self) {
      try database.write { db in try db.executeScript(SQL(unchecked: sql)) }
    }
    let outside = #expect(throws: StorageError.self) {
      try database.writeWithoutTransaction { db in try db.executeScript(SQL(unchecked: sql)) }
    }

    #expect(inside?.code == .misuse)
    #expect(inside?.suggestion?.contains(suggestion) == true, "\(inside as Any)")
    #expect(suggestion == "db.transaction" || inside?.suggestion?.contains("call write") == false)
    #expect(outside?.suggestion?.contains("write { db in … }") == true, "\(outside as Any)")
  }

  @Test(.behaviour("A-FM-32"))
  func `an error thrown by the row closure of a script reaches the caller unchanged`() throws {
    let database = try Database.inMemory()
    #expect(throws: Refusal(row: 2)) {
      try database.read { db in
        try db.executeScript("SELECT 1; SELECT 2; SELECT 3") { row in
          if try row[0] == 2 { throw Refusal(row: 2) }
          return .continue
        }
      }
    }
    let own = #expect(throws: StorageError.self) {
      try database.read { db in
        try db.executeScript("SELECT 1") { _ in throw StorageError(.vetoed, "as it was") }
      }
    }
    #expect(own?.message == "as it was")
  }

  @Test
  func `if the row closure stops a script, observers are still notified of the script's changes`()
    throws
  {
    let database = try Database.inMemory()
    try Library.fill(database)
    let notifications = Mutex(0)
    let registration = try database.observe(Database.Region.table("book")) { _ in
      notifications.withLock { $0 += 1 }
    }
    try database.write { db in
      try db.executeScript("DELETE FROM book RETURNING id; DELETE FROM loan") { _ in .stop }
    }

    #expect(try Library.count(database) == 0)
    #expect(notifications.withLock { $0 } == 1)
    registration.cancel()
  }

  @Test(.behaviour("A-FM-32"))
  func `a script that writes is refused inside a read`() throws {
    let database = try Database.inMemory()
    let error = #expect(throws: StorageError.self) {
      try database.read { db in try db.executeScript("SELECT 1; CREATE TABLE a(x)") }
    }
    #expect(error?.code == .misuse)
    #expect(error?.message.contains("statement 2") == true)
    #expect(try database.read { db in try db.schema() } == [])
  }

  @Test func `a script with interpolated values, placeholders or NUL characters is refused`() throws
  {
    let database = try Database.inMemory()
    for script: SQL in [
      "SELECT \(1)", SQL(unchecked: "SELECT '\0'"), "SELECT \(Double.nan)", "SELECT ?",
    ] {
      #expect(throws: StorageError.self) {
        try database.read { db in try db.executeScript(script) }
      }
    }
  }

  @Test
  func `a script can be read from a UTF-8 file, and reading a missing or non-UTF-8 file throws`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "schema.sql")
      let database = try Database.inMemory()
      try Data("CREATE TABLE a(x);\nCREATE TABLE b(x);\n".utf8).write(to: url)
      try database.write { db in
        let count = try db.executeScript(SQL(contentsOf: url))
        #expect(count == 2)
      }
      try Data([0xff, 0xfe]).write(to: url)
      let error = #expect(throws: StorageError.self) { try SQL(contentsOf: url) }
      #expect(error?.code == .decodingFailed)
      for path in ["absent.sql", "."] {
        #expect(throws: StorageError.self) {
          try SQL(contentsOf: directory.appending(path: path))
        }
      }
    }
  }

  @Test func `SQL(unchecked:arguments:) binds the arguments to the placeholders`() throws {
    let typed = "SELECT ? || ?"
    let answer = try Database.inMemory().read { db in
      try db.fetchOne(SQL(unchecked: typed, arguments: [.text("a"), .text("'b")])) { row in
        try row[0] as String
      }
    }

    #expect(answer == "a'b")
  }

  @Test func `a script can contain ten thousand statements`() throws {
    let database = try Database.inMemory()
    let line = "INSERT INTO book VALUES ('a title of some length, as titles have it');\n"
    let script = SQL(
      unchecked: "CREATE TABLE book(title);\n" + String(repeating: line, count: 10_000))
    let ran = try database.write { db in try db.executeScript(script) }

    #expect(ran == 10_001)
    #expect(try Library.count(database) == 10_000)
  }
}
