import BehaviourTrait
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct DifferenceTests {
  private func message<Record: Sendable>(
    _ table: Table<Record>, _ sql: SQL...
  ) throws -> String? {
    let database = try Database.inMemory()
    try database.write { db in for statement in sql { try db.execute(statement) } }
    var messages: Set<String> = []
    for _ in 1...2 {
      do {
        try database.write { db in try table.prepare(in: db) }
      } catch let error as StorageError {
        #expect(error.code == .misuse)
        messages.insert(
          error.message.replacing(
            """
            ; change the declaration to match the table in the file, or change the table in a \
            migration step
            """,
            with: ""))
      }
      do {
        _ = try database.read { db in try table.fetchCount(in: db) }
      } catch let error as StorageError {
        messages.insert(
          error.message.replacing(
            """
            ; change the declaration to match the table in the file, or change the table in a \
            migration step
            """,
            with: ""))
      }
    }
    // Writers and readers get the same message each time.
    #expect(messages.count <= 1)
    return messages.first
  }

  @Test(.behaviour("A-CT-X04"))
  func `all differences between a table and its declaration are reported in one error`() throws {
    let message = try message(
      Loan.table.strict(),
      """
      CREATE TABLE loan(
        id INTEGER PRIMARY KEY, isbn INTEGER NOT NULL, lent REAL, returned REAL NOT NULL,
        fee REAL AS (returned - lent), mood TEXT NOT NULL)
      """, "INSERT INTO loan(isbn, lent, returned, mood) VALUES (1, 1, 2, 'good')")
    #expect(
      message == """
        cannot use the table "loan": it differs from its declaration: column "isbn": its type is \
        INTEGER, not TEXT; column "lent": it may be NULL, and the property is not optional; column \
        "returned": it is NOT NULL, and the property is optional; column "fee": its \
        expression is not `max(0, returned - lent - 30)`; its key is not AUTOINCREMENT; it is \
        not STRICT; the file has a column "mood" that is NOT NULL and has no default; it has no \
        constraint `CHECK (lent < returned)`; the columns "isbn", "number" have no foreign key to \
        "copy"; column "number" is missing, and SQLite cannot add a column that is NOT NULL \
        without a default
        """)
  }

  @Test func `missing constraints and a different primary key are reported as differences`() throws
  {
    #expect(
      try message(
        Copy.table, "CREATE TABLE copy(isbn TEXT PRIMARY KEY, number INTEGER, shelf, place INT)")
          == """
          cannot use the table "copy": it differs from its declaration: column "shelf": its type is \
          none, not TEXT; its primary key is "isbn", not "isbn", "number"; it is not STRICT; it is \
          not WITHOUT ROWID; the columns "shelf", "place" have no unique constraint (for an existing \
          table, declare indexed(…, unique: true) instead); it has no constraint \
          `CHECK (number > 0)`; it has no constraint `CHECK ((shelf IS NULL) = (place IS NULL))`
          """)
    #expect(
      try message(
        Club.table,
        """
        CREATE TABLE club(id INT PRIMARY KEY, name TEXT NOT NULL, founder_id INTEGER,
          parent_id INTEGER REFERENCES club(id))
        """)
          == """
          cannot use the table "club": it differs from its declaration: column "id": its type is INT, \
          for which SQLite generates no keys, not INTEGER; the column "name" has no unique \
          constraint (for an existing table, declare indexed(…, unique: true) instead); the column \
          "founder_id" has no foreign key to "reader"; the column "parent_id" has a foreign key to \
          "club" with another ON DELETE or ON UPDATE action
          """)
    #expect(
      try message(
        Reader.table, "CREATE TABLE reader(id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
          == """
          cannot use the table "reader": it differs from its declaration: column "name": its \
          collation is not NOCASE
          """)
  }

  @Test
  func `a table that another tool created is accepted if its SQL is equivalent to the declaration`()
    throws
  {
    #expect(
      try message(
        Copy.table,
        """
        create table [Copy] (
          `ISBN` text not null, number int not null, -- check (number < 0)
          shelf text, place integer,
          constraint positive check ("Number">0), /* , check (no) */
          check((shelf is null)=(place is null)),
          primary key (number, isbn), unique (place, shelf)) without rowid, strict
        """) == nil)
    #expect(
      try message(
        Club.table,
        """
        create table CLUB(ID integer primary key, name varchar(40) not null,
          founder_id numeric references Reader deferrable initially deferred,
          parent_id int references club(id) on update cascade on delete cascade)
        """, "CREATE UNIQUE INDEX by_hand ON club(name)") == nil)
  }

  @Test func `a view or a virtual table with the name of a declared table is rejected`() throws {
    #expect(
      try message(Shelf.table, "CREATE VIEW shelf AS SELECT 1 AS id") == """
        cannot use the table "shelf": a view has this name; declare the table under \
        another name, or access the view with SQL
        """)
    #expect(
      try message(Shelf.table, "CREATE VIRTUAL TABLE shelf USING fts5(room)") == """
        cannot use the table "shelf": a virtual table has this name; declare the table under \
        another name, or access the virtual table with SQL
        """)
  }

  @Test(.behaviour("A-CT-X04"))
  func `the first use of a contradictory table declaration throws`() throws {
    let tables = [
      Table("t", Shelf.init, Column("a", \.id), Column("A", \.room), Column("c", \.place)),
      Shelf.plain.unique(\.room.count), Shelf.plain.fullText(),
      Table(
        "t", Shelf.init, Column("a", \.id), Column("b", \.room),
        Column("c", \.place).primaryKey()
      ).withoutRowID().fullText(\.room),
      Table("t", Shelf.init, Column("a", \.id), Column("b", \.room), Column("c", \.place))
        .withoutRowID(),
      Table(
        "t", Shelf.init, Column("a", \.id).primaryKey(),
        Column("b", \.room).primaryKey(isAutoincrementing: true), Column("c", \.place)),
      Shelf.plain.references(Copy.self, from: \.room),
    ]
    for table in tables { #expect(try message(table)?.hasPrefix("cannot ") == true) }
  }

  @Test
  func `a missing column is not added to a table if DatabaseOptions.schemaOwner is migrations`()
    throws
  {
    let database = try Database.inMemory(DatabaseOptions(schemaOwner: .migrations))
    try database.write { db in
      try Club.table.prepare(in: db)
      #expect(try db.tableExists("reader"))
      try db.execute("CREATE TABLE shelf(id INTEGER PRIMARY KEY, room TEXT NOT NULL)")
    }

    for isWriting in [true, false] {
      let error = #expect(throws: StorageError.self) {
        if isWriting {
          try database.write { db in try Shelf.table.prepare(in: db) }
        } else {
          _ = try database.read { db in try Shelf.fetchAll(in: db) }
        }
      }
      #expect(error?.message.contains(#"column "place" is missing"#) == true)
      #expect(error?.message.contains("change the table in a migration step") == true)
    }

    try database.write { db in
      try QueryCommand.addColumn(
        ColumnDefinition("place", .integer).default(7), to: "shelf"
      ).run(in: db)
      try Shelf.table.prepare(in: db)
      #expect(try db.schema().contains { $0.name == "undercroft.shelf.room" })
    }
  }

  struct Price: TableRecord {
    var id: Int64?
    var city: String
    var amount: Double
    var isOpen: Bool
    static let table = Table(
      "price", Price.init, Column("id", \.id).primaryKey(),
      Column("city", \.city).default("Berlin"), Column("amount", \.amount).default(-3),
      Column("is_open", \.isOpen).default(true))
  }

  @Test(arguments: [
    ("'Berlin'", "-3.0", "1"), ("('Berlin')", "-3", "TRUE"), (#""Berlin""#, "(-3.0)", "true"),
  ])
  func `preparing a table accepts a column default with an equal value in any SQL notation`(
    city: String, amount: String, isOpen: String
  ) throws {
    try Database.inMemory().write { db in
      try db.execute(SQL(unchecked: Self.price(city, amount, isOpen)))
      try Price.table.prepare(in: db)
      #expect(try Price.fetchCount(in: db) == 0)
    }
  }

  @Test(arguments: [
    ("'berlin'", "-3", "1"), ("'Berlin'", "3", "1"), ("'Berlin'", "-3", "0"),
    ("CURRENT_TIMESTAMP", "-3", "1"),
  ])
  func `a default value that differs from the declared default is reported`(
    city: String, amount: String, isOpen: String
  ) throws {
    try Database.inMemory().write { db in
      try db.execute(SQL(unchecked: Self.price(city, amount, isOpen)))
      let error = #expect(throws: StorageError.self) { try Price.table.prepare(in: db) }
      #expect(error?.message.contains("its default is") == true)
    }
  }

  @Test
  func `a column default is accepted if it exists only in the file or only in the declaration`()
    throws
  {
    struct Spot: Sendable {
      let id: Int
      let room: String
      let place: Int
    }
    let table = Table(
      "spot", Spot.init, Column("id", \.id).primaryKey(), Column("room", \.room),
      Column("place", \.place).default(3))
    try Database.inMemory().write { db in
      try db.execute(
        """
        CREATE TABLE spot (
          id INTEGER PRIMARY KEY, room TEXT NOT NULL DEFAULT 'A', place INTEGER NOT NULL)
        """)

      try table.prepare(in: db)

      #expect(try table.fetchCount(in: db) == 0)
    }
  }

  private static func price(_ city: String, _ amount: String, _ isOpen: String) -> String {
    """
    CREATE TABLE price (id INTEGER PRIMARY KEY, city TEXT NOT NULL DEFAULT \(city),
      amount REAL NOT NULL DEFAULT \(amount), is_open INTEGER NOT NULL DEFAULT \(isOpen))
    """
  }

  @Test
  func `the error for an undeclared NOT NULL column suggests a later version of the application`()
    throws
  {
    try Database.inMemory().write { db in
      try db.execute(
        "CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, born INTEGER NOT NULL)"
      )
      let error = #expect(throws: StorageError.self) { try Author.table.prepare(in: db) }
      #expect(error?.message.contains("\"born\"") == true)
      #expect(error?.message.contains("later") == true)
    }
  }
}
