import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// Tests of unusual names and definitions as arguments of the schema tools.
@Suite struct ToolAttackTests {
  /// Returns the schema of a database and the rows of its tables.
  private func contents(_ database: Database) throws -> [String] {
    try database.read { db in
      var all: [String] = []
      for object in try db.schema() {
        all.append("\(object.kind) \(object.name): \(object.sql ?? "")")
        if object.kind == .table {
          all += try db.fetchAll("SELECT * FROM \(identifier: object.name)") { row in
            var values: [String] = []
            for position in 0..<row.count { values.append("\(try row[position] as SQLValue)") }
            return values.joined(separator: "|")
          }
        }
      }
      return all
    }
  }

  private func library() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, blurb TEXT, isbn TEXT UNIQUE);
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
        CREATE INDEX by_title ON book (title);
        CREATE TRIGGER logged AFTER UPDATE ON book BEGIN UPDATE author SET name = name; END;
        INSERT INTO book VALUES (1, 'Emma', 'a', 'x'), (2, 'Persuasion', NULL, 'y');
        INSERT INTO author VALUES (1, 'Austen');
        """)
    }
    return database
  }

  /// Runs a schema tool and expects that it throws and changes nothing, or retains all rows.
  ///
  /// - Parameter throwing: whether the tool must throw, or `nil` if it may throw.
  private func attack(
    _ name: String, throwing: Bool? = nil, _ tool: (Connection) throws -> Void
  ) throws {
    let database = try library()
    let before = try contents(database)
    var found: (any Error)?
    do {
      try database.writeWithoutTransaction { db in
        try db.execute("PRAGMA foreign_keys = OFF")
        try db.transaction { db in try tool(db) }
      }
    } catch {
      found = error
    }

    if let throwing {
      #expect((found != nil) == throwing, "\(name): \(found.map { "\($0)" } ?? "passed")")
    }
    #expect(try database.integrityCheck() == [], "\(name)")
    if let found {
      #expect(found is StorageError, "\(name): \(found)")
      #expect(try contents(database) == before, "\(name)")
    } else {
      #expect(try contents(database).contains { $0.contains("Austen") }, "\(name)")
      #expect(try contents(database).contains { $0.contains("Persuasion") }, "\(name)")
    }
    let rest = try database.read { db in
      try db.schema().map(\.name).filter { $0.hasPrefix("undercroft_migration") }
    }
    #expect(rest == [], "\(name)")
  }

  static let names = [
    "", " ", "book", "BOOK", "author", "by_title", "sqlite_x", "sqlite_schema", "select", "a b",
    "we\"ird", "a]b", "a`b", "'a'",
    "main.book", "temp.x", "x; DROP TABLE author", "x) ; --", "/*", "--", "a\nb", "ü", "e\u{301}",
    "🗄️", "\u{202E}",
    "rowid", "_rowid_", "a\u{0}b", "1", "%",
    "?", ":x", "$a", "\"", "\u{301}", "'",
    String(repeating: "n", count: 5_000),
  ]

  @Test(.heavy, arguments: names)
  func `for any table or column name, schema tools succeed, or throw and change nothing`(
    name: String
  ) throws {
    try attack("renameTable \(name.prefix(40))") { db in
      try db.renameTable("book", to: name)
      if name.folded != "book" { #expect(try db.tableExists(name)) }
      if name != "book" { try db.renameTable(name, to: "book") }
    }
    try attack("renameColumn \(name.prefix(40))") { db in
      try db.renameColumn("title", of: "book", to: name)
      try db.changeColumn(name, of: "book", to: "TEXT COLLATE NOCASE")
      try db.convertRows(of: "book", reading: [name], writing: [name]) { row in
        [try row[0] as SQLValue]
      }
      try db.renameColumn(name, of: "book", to: "title")
    }
    try attack("dropColumn \(name.prefix(40))", throwing: true) { db in
      try db.dropColumn(name, of: "book")
    }
    try attack("dropColumn of \(name.prefix(40))") { db in try db.dropColumn("blurb", of: name) }
    try attack("splitTable \(name.prefix(40))") { db in
      try db.splitTable("book", moving: ["blurb"], to: name, key: "id")
      try db.mergeTable(name, into: "book", key: "id")
    }
    try attack("redistribute \(name.prefix(40))") { db in
      _ = try db.execute("CREATE TABLE \(identifier: name + "_0") (id INTEGER PRIMARY KEY, a)")
      _ = try db.execute("INSERT INTO \(identifier: name + "_0") VALUES (1, 1), (2, 2), (-3, 3)")
      try db.redistribute(name, key: "id", from: 1, to: 3)
      try db.redistribute(name, key: "id", from: 3, to: 1)
      #expect(
        try db.fetchValue("SELECT count(*) FROM \(identifier: name + "_0")", as: Int.self) == 3)
    }
    try attack("rebuild \(name.prefix(40))") { db in
      _ = try db.execute("CREATE TABLE \(identifier: name) (id INTEGER PRIMARY KEY, a)")
      _ = try db.execute("INSERT INTO \(identifier: name) VALUES (1, 1)")
      _ = try db.execute("CREATE INDEX \(identifier: "i" + name) ON \(identifier: name) (a)")
      let text = "CREATE TABLE \(identifier: name) (id INTEGER PRIMARY KEY, a TEXT)" as SQL
      try db.rebuildTable(name, as: text)
      #expect(try db.fetchValue("SELECT a FROM \(identifier: name)", as: String.self) == "1")
    }
  }

  @Test(arguments: [
    "", ";", "x", "CREATE TABLE book", "CREATE TABLE book (", "CREATE TABLE book ()",
    "CREATE TABLE book (id))",
    "CREATE TABLE author (id, title, blurb, isbn)",
    "CREATE TEMP TABLE book (id, title, blurb, isbn)",
    "CREATE TABLE temp.book (id, title, blurb, isbn)", "CREATE TABLE book AS SELECT * FROM author",
    "CREATE TABLE book (id, title, blurb, isbn) AS SELECT * FROM author",
    "CREATE TABLE book (id, title, blurb, isbn); DROP TABLE author",
    "CREATE TABLE book (id, title, blurb, isbn); DELETE FROM author; --",
    "DROP TABLE author; CREATE TABLE book (id, title, blurb, isbn)",
    "CREATE TABLE book (id, title)", "CREATE TABLE book (id, id, title, blurb, isbn)",
    "CREATE VIEW book AS SELECT 1", "CREATE VIRTUAL TABLE book USING fts5(title)",
    "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT REFERENCES nowhere (x), blurb, isbn) STRICT",
    "CREATE TABLE book (id, title, blurb, isbn, CHECK (author.name > 1))",
    "CREATE TABLE book (id, title, blurb, isbn, CHECK (0))",
    "CREATE TABLE book (id, title, blurb, isbn UNIQUE ON CONFLICT REPLACE, x DEFAULT 1 UNIQUE ON CONFLICT REPLACE)",
    "CREATE TABLE book (id, title, blurb, isbn, x DEFAULT 1 UNIQUE ON CONFLICT IGNORE)",
    "CREATE TABLE book (id, title, blurb, isbn, x DEFAULT 1 UNIQUE ON CONFLICT ROLLBACK)",
    "EXPLAIN CREATE TABLE book (id, title, blurb, isbn)",
    "CREATE TABLE book (id, title, blurb, isbn) WITHOUT ROWID",
    "CREATE TABLE book (id AS (1), title, blurb, isbn)",
  ])
  func `rebuildTable rejects anything but one CREATE TABLE statement for the table`(text: String)
    throws
  {
    try attack(text, throwing: true) { db in
      try db.rebuildTable("book", as: SQL(unchecked: text))
    }
  }

  @Test(arguments: [
    "CREATE TABLE book (rowid TEXT, _rowid_ TEXT, oid TEXT, id INTEGER PRIMARY KEY, title, blurb, isbn)",
    "CREATE TABLE book (id, title, blurb, isbn, rowid INTEGER PRIMARY KEY)",
    "CREATE TABLE book (rowid, id, title, blurb, isbn) -- comment",
    "CREATE /* a */ TABLE -- b\n IF NOT EXISTS \"BOOK\" (id, title, blurb, isbn);",
    "CREATE TABLE [book] ('id', \"title\", [blurb], `isbn`)",
    "CREATE TABLE book (id, title, blurb, isbn) /* DROP",
  ])
  func `rebuildTable accepts any valid CREATE TABLE statement for the table`(text: String) throws {
    try attack(text, throwing: false) { db in
      try db.rebuildTable("book", as: SQL(unchecked: text))
      #expect(
        try db.fetchValue(
          "SELECT count(*) FROM book WHERE title IN ('Emma', 'Persuasion') AND id IN (1, 2)",
          as: Int.self) == 2)
    }
  }

  @Test(arguments: [
    "TEXT); DROP TABLE author; --", "TEXT, x TEXT", "TEXT; DROP TABLE author", "TEXT REFERENCES",
    "(", ")", "TEXT AS (id)", "TEXT CHECK (0)", "'", "[", "TEXT DEFAULT (SELECT 1)",
    "INTEGER PRIMARY KEY",
  ])
  func `changeColumn throws if the new definition or the conversion expression is invalid`(
    text: String
  )
    throws
  {
    try attack(text, throwing: true) { db in
      try db.changeColumn("title", of: "book", to: SQL(unchecked: text))
    }
    for expression in [
      "1); DROP TABLE author; --", "count(*)", "title -- x", "RAISE(ROLLBACK, 'a')", "?",
    ] {
      try attack(expression, throwing: true) { db in
        try db.changeColumn("title", of: "book", to: "TEXT", converting: SQL(unchecked: expression))
      }
    }
  }

  @Test(arguments: ["", "TEXT --", "TEXT /*"])
  func `changeColumn accepts an empty definition and a definition that ends in a comment`(
    text: String
  )
    throws
  {
    try attack(text, throwing: false) { db in
      try db.changeColumn("title", of: "book", to: SQL(unchecked: text))
      #expect(try db.columns(of: "book").map(\.name) == ["id", "title", "blurb", "isbn"])
      #expect(try db.fetchValue("SELECT count(*) FROM book", as: Int.self) == 2)
    }
  }

  @Test func `changeColumn accepts a subquery as the expression that converts the values`() throws {
    try attack("subquery", throwing: false) { db in
      let first: SQL = "(SELECT max(title) FROM book)"
      try db.changeColumn("title", of: "book", to: "TEXT", converting: first)
      #expect(
        try db.fetchValue("SELECT count(*) FROM book WHERE title = 'Persuasion'", as: Int.self) == 2
      )
    }
  }

  @Test func `merging a table into itself throws`() throws {
    try attack("merge", throwing: true) { db in try db.mergeTable("book", into: "book", key: "id") }
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE number (id INTEGER PRIMARY KEY)")
      try db.execute("INSERT INTO number VALUES (1), (2)")
    }

    #expect(throws: StorageError.self) {
      try database.write { db in try db.mergeTable("number", into: "NUMBER", key: "id") }
    }
    #expect(try database.fetchValue("SELECT count(*) FROM number", as: Int.self) == 2)
  }

  @Test(arguments: [0, -1, Int.min, Int.max, 1_000_000_000, 100_000])
  func `redistribute throws within 5 s of CPU time if a partition count is out of range`(count: Int)
    throws
  {
    let began = workOfThisThread()
    try attack("\(count)", throwing: true) { db in
      try db.renameTable("book", to: "book_0")
      try db.redistribute("book", key: "id", from: 1, to: count)
    }
    try attack("\(count)", throwing: true) { db in
      try db.renameTable("book", to: "book_0")
      try db.redistribute("book", key: "id", from: count, to: 1)
    }

    #expect(workOfThisThread() - began < .seconds(5))
  }

  @Test
  func `convertRows and copyRows lose no row even if their closure changes the source table`()
    throws
  {
    try attack("drops", throwing: true) { db in
      try db.convertRows(of: "book", reading: ["title"], writing: ["blurb"]) { row in
        try db.execute("DROP TABLE book")
        return [try row[0] as String]
      }
    }
    try attack("converts") { db in
      try db.convertRows(of: "book", reading: ["title"], writing: ["blurb"]) { row in
        try db.convertRows(of: "book", reading: ["title"], writing: ["blurb"]) { row in
          [try row[0] as String]
        }
        return [try row[0] as String]
      }
    }
    try attack("inserts") { db in
      var count = 0
      try db.convertRows(of: "book", reading: ["title"], writing: ["blurb"]) { row in
        count += 1
        if count > 100 { throw StorageError(.misuse, "endless", backend: "sqlite") }
        try db.execute("INSERT INTO book (title) VALUES ('more')")
        return [try row[0] as String]
      }
    }
    try attack("rebuilds", throwing: true) { db in
      try db.copyRows(from: "SELECT title FROM book", into: "author", columns: ["name"]) { row in
        try db.rebuildTable(
          "book", as: "CREATE TABLE book (id INTEGER PRIMARY KEY, title, blurb, isbn)")
        return [try row[0] as String]
      }
    }
    try attack("too few", throwing: true) { db in
      try db.copyRows(from: "SELECT title FROM book", into: "author", columns: ["name"]) { _ in [] }
    }
    for query in [
      "SELECT 1; DROP TABLE author", "PRAGMA foreign_keys", "", "COMMIT",
      "INSERT INTO author (name) VALUES ('x') RETURNING name", "SELECT name FROM author -- a",
    ] {
      try attack(query) { db in
        try db.copyRows(
          from: SQL(unchecked: query), into: "author", columns: ["name"], progress: nil
        ) { row in [try row[0] as SQLValue] }
      }
    }
  }
}
