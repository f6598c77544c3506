import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

@Suite struct CaptureUpdateTests {
  private static let schema = """
    CREATE TABLE book(
      id TEXT PRIMARY KEY, title TEXT COLLATE NOCASE, any_, isbn TEXT UNIQUE, draft TEXT);
    INSERT INTO book VALUES
      ('b1', 'one', 1, '1', 'd'), ('b2', 'two', 2, '2', 'd'), ('b3', 'three', 3, '3', 'd');
    """

  private static func library(_ recursive: Bool = false) throws -> CapturingLibrary {
    try CapturingLibrary(
      schema, [SyncedTable("book", local: ["draft"])], recursiveTriggers: recursive)
  }

  @Test func `the stored original of a changed row is the row before the first captured change`()
    throws
  {
    let library = try Self.library()

    try library.run("UPDATE book SET title = 'uno' WHERE id = 'b1'")
    try library.run("UPDATE book SET title = 'un', any_ = 8 WHERE id = 'b1'")

    #expect(try library.changeList() == ["update book b1"])
    #expect(
      try library.text("SELECT exists_ || c0 || c1 || c2 FROM sync_shadow_1") == "1one11")
    #expect(
      try library.text(
        "SELECT version || isDeleted FROM sync_record WHERE primary_key = 'b1'") == "70")
    #expect(try library.dirtyKeys() == ["b1"])
  }

  @Test
  func
    `each change of a row gives the row's pending operation a new identifier and later timestamp`()
    throws
  {
    let library = try Self.library()
    var seen: Set<ExactString> = []
    var last: Int64 = 0

    for number in 0..<20 {
      try library.run("UPDATE book SET title = 'title \(number)' WHERE id = 'b1'")
      let identifier = try library.text("SELECT hex(operation_identifier) FROM sync_to_sync")
      let timestamp = try library.integer("SELECT hlc FROM sync_to_sync")
      let isNew = seen.insert(ExactString(identifier ?? "")).inserted
      #expect(isNew)
      #expect(timestamp > last)
      last = timestamp
    }
    #expect(try library.integer("SELECT count(*) FROM sync_to_sync") == 1)
  }

  @Test(arguments: [
    "UPDATE book SET copies = 0.5 WHERE id = 'b1'", "UPDATE book SET copies = 'many'",
    "INSERT INTO book(id, copies) VALUES ('b9', 2.5)", "UPDATE book SET copies = x'00'",
    "UPDATE book SET copies = 9223372036854775807 + 1",
  ])
  func `a counter value that is neither an integer nor NULL is rejected`(sql: String) throws {
    let library = try CapturingLibrary(
      """
      CREATE TABLE book(id TEXT PRIMARY KEY, copies INTEGER);
      INSERT INTO book VALUES ('b1', 5), ('b2', NULL);
      """, [SyncedTable("book", counters: ["copies"])])

    let error = #expect(throws: StorageError.self) { try library.run(sql) }

    #expect(error?.code == .constraintViolated)
    #expect(error?.message.contains("counter \"copies\" must be an integer or NULL") == true)
    #expect(try library.integer("SELECT count(*) FROM sync_to_sync") == 0)
    #expect(library.attempt("UPDATE book SET copies = NULL"))
  }

  @Test(arguments: [
    "UPDATE book SET draft = 'x'", "UPDATE book SET title = title, any_ = any_, isbn = isbn",
    "UPDATE book SET title = 'x' WHERE id = 'missing'",
    "UPDATE OR IGNORE book SET isbn = '2', draft = 'y' WHERE id = 'b2'",
  ])
  func `an update that changes no value or only local columns is not captured`(sql: String) throws {
    let library = try Self.library()

    try library.run(sql)

    #expect(try library.integer("SELECT count(*) FROM sync_to_sync") == 0)
    #expect(try library.dirtyKeys() == [])
  }

  @Test(arguments: [
    "title = 'ONE'", "any_ = 1.0", "any_ = '1'", "any_ = x'31'", "any_ = NULL", "title = NULL",
  ])
  func `an update that changes only the case or the type of a value is captured`(assignment: String)
    throws
  {
    let library = try Self.library()

    try library.run("UPDATE book SET \(assignment) WHERE id = 'b1'")

    #expect(try library.changeList() == ["update book b1"])
  }

  @Test(arguments: [false, true])
  func `UPDATE OR REPLACE captures the deletion of the replaced row with the same unique value`(
    recursive: Bool
  ) throws {
    let library = try Self.library(recursive)

    try library.run("UPDATE OR REPLACE book SET isbn = '2' WHERE id = 'b1'")

    #expect(Set(try library.changeList()) == ["update book b1", "delete book b2"])
    #expect(try library.integer("SELECT count(*) FROM book") == 2)
  }

  @Test(arguments: [false, true])
  func `UPDATE OR REPLACE of a text key captures changes of the rows with the old and new keys`(
    recursive: Bool
  ) throws {
    let library = try Self.library(recursive)

    try library.run("UPDATE OR REPLACE book SET id = 'b2' WHERE id = 'b1'")

    #expect(
      Set(try library.changeList())
        == (recursive
          ? ["delete book b1", "delete book b2", "insert book b2"]
          : ["delete book b1", "update book b2"]))
  }

  @Test func `a change of a text key is captured as a deletion and an insertion`() throws {
    let library = try Self.library()

    try library.run("UPDATE book SET id = 'B' || id WHERE id <> 'b3'")

    #expect(
      try library.changeList()
        == ["delete book b1", "insert book Bb1", "delete book b2", "insert book Bb2"])
  }

  @Test func `changing a text key and changing it back leaves no record of the intermediate key`()
    throws
  {
    let library = try Self.library()

    try library.run("UPDATE book SET id = 'b9', title = 'nine' WHERE id = 'b1'")
    try library.run("UPDATE book SET id = 'b1' WHERE id = 'b9'")

    #expect(try library.changeList() == ["delete book b1", "insert book b1"])
    #expect(try library.integer("SELECT count(*) FROM sync_record WHERE primary_key = 'b9'") == 0)
  }

  @Test(arguments: ["id", "rowid", "oid"])
  func `a row retains its identifier when its integer key changes`(name: String) throws {
    let library = try CapturingLibrary(
      "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT); INSERT INTO book VALUES (1, 'one')",
      [SyncedTable("book")])
    let identifier = try library.text("SELECT identifier FROM sync_record")

    try library.run("UPDATE book SET \(name) = 5")
    try library.run("UPDATE book SET title = 'uno'")

    #expect(try library.text("SELECT identifier FROM sync_record") == identifier)
    #expect(try library.changeList() == ["update book 5"])
  }

  @Test func `UPDATE OR REPLACE of an integer key captures the deletion of the replaced row`()
    throws
  {
    let library = try CapturingLibrary(
      """
      CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);
      INSERT INTO book VALUES (1, 'one'), (2, 'two');
      """, [SyncedTable("book")])

    try library.run("UPDATE OR REPLACE book SET id = 2 WHERE id = 1")

    #expect(try library.changeList() == ["delete book #"])
    #expect(try library.integer("SELECT record_id FROM sync_record WHERE primary_key = 2") == 1)
  }

  @Test func `UPDATE OR IGNORE of an integer key to an existing key captures no change`() throws {
    let library = try CapturingLibrary(
      """
      CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);
      INSERT INTO book VALUES (1, 'one'), (2, 'two');
      """, [SyncedTable("book")])

    try library.run("UPDATE OR IGNORE book SET id = 2, title = 'x' WHERE id = 1")

    #expect(try library.changeList() == [])
    #expect(
      try library.texts("SELECT record_id || primary_key FROM sync_record ORDER BY 1")
        == ["11", "22"])
  }
}
