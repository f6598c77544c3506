import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct ConstraintTests {
  /// Returns the constraint that the last of the statements violates.
  private func violated(_ statements: String...) throws -> StorageError.Constraint? {
    let database = try Database.inMemory()
    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        for statement in statements { try db.execute(SQL(unchecked: statement)) }
      }
    }
    #expect(error?.code == .constraintViolated)
    return error?.constraint
  }

  @Test(arguments: [
    ("CREATE TABLE book(title UNIQUE)", "INSERT INTO book VALUES (1), (1)", "no other row"),
    (
      "CREATE TABLE book(id INTEGER PRIMARY KEY)", "INSERT INTO book VALUES (1), (1)",
      "no other row"
    ),
    ("CREATE TABLE book(title NOT NULL)", "INSERT INTO book VALUES (NULL)", "supply a value"),
    ("CREATE TABLE book(pages CHECK (pages > 0))", "INSERT INTO book VALUES (0)", "CHECK"),
    (
      "CREATE TABLE book(id INTEGER PRIMARY KEY, sequel REFERENCES book(id))",
      "INSERT INTO book VALUES (1, 2)", "insert the referenced row"
    ),
  ])
  func `the error of a violated constraint suggests how to satisfy the constraint`(
    table: String, insertion: String, suggestion: String
  ) throws {
    let database = try Database.inMemory()

    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        try db.execute(SQL(unchecked: table))
        try db.execute(SQL(unchecked: insertion))
      }
    }

    #expect(error?.code == .constraintViolated)
    #expect(error?.suggestion?.contains(suggestion) == true, "\(error as Any)")
  }

  @Test func `the error of a unique constraint lists the constraint's columns`() throws {
    let book = "CREATE TABLE book(title, author, UNIQUE(title, author))"
    let insertion = "INSERT INTO book VALUES ('Dune', 'Herbert')"

    #expect(
      try violated(book, insertion, insertion) == .unique(columns: ["title", "author"]))
  }

  @Test(arguments: ["id INTEGER PRIMARY KEY", "id TEXT PRIMARY KEY"])
  func `the error of a primary key constraint lists the key column`(column: String) throws {
    let insertion = "INSERT INTO book VALUES (1)"

    #expect(
      try violated("CREATE TABLE book(\(column))", insertion, insertion)
        == .unique(columns: ["id"]))
  }

  @Test func `the error of a unique index on an expression lists no columns`() throws {
    #expect(
      try violated(
        "CREATE TABLE book(title)", "CREATE UNIQUE INDEX by_title ON book(lower(title))",
        "INSERT INTO book VALUES ('Dune'), ('DUNE')") == .unique(columns: []))
  }

  @Test
  func `a UNIQUE violation names the right column even if table and column names contain periods`()
    throws
  {
    let insertion = "INSERT INTO \"the.book\" VALUES ('Dune')"

    #expect(
      try violated("CREATE TABLE \"the.book\"(\"main.title\" UNIQUE)", insertion, insertion)
        == .unique(columns: ["main.title"]))
  }

  @Test func `the error of a violated NOT NULL constraint names the column`() throws {
    #expect(
      try violated("CREATE TABLE book(title NOT NULL)", "INSERT INTO book VALUES (NULL)")
        == .notNull(column: "title"))
  }

  @Test(arguments: [
    ("CONSTRAINT positive CHECK (pages > 0)", "positive"), ("CHECK (pages > 0)", "pages > 0"),
  ])
  func `the error of a CHECK constraint contains the constraint's name, or else the expression`(
    check: String, name: String
  ) throws {
    #expect(
      try violated("CREATE TABLE book(pages, \(check))", "INSERT INTO book VALUES (0)")
        == .check(name: name))
  }

  @Test
  func `the error of a violated foreign key, immediate or deferred, has the constraint foreignKey`()
    throws
  {
    let author = "CREATE TABLE author(id INTEGER PRIMARY KEY)"
    for clause in ["", " DEFERRABLE INITIALLY DEFERRED"] {
      #expect(
        try violated(
          author, "CREATE TABLE book(author REFERENCES author\(clause))",
          "INSERT INTO book VALUES (1)") == .foreignKey)
    }
  }

  @Test(arguments: ["NO ACTION", "RESTRICT"])
  func `deleting a row referenced by a NO ACTION or RESTRICT foreign key throws a constraint error`(
    action: String
  )
    throws
  {
    #expect(
      try violated(
        "CREATE TABLE author(id INTEGER PRIMARY KEY)",
        "CREATE TABLE book(author REFERENCES author ON DELETE \(action))",
        "INSERT INTO author VALUES (1)", "INSERT INTO book VALUES (1)", "DELETE FROM author")
        == .foreignKey)
  }

  @Test
  func `the constraint of an error is dataType for a wrong value type and trigger for RAISE`()
    throws
  {
    #expect(
      try violated(
        "CREATE TABLE book(pages INTEGER) STRICT", "INSERT INTO book VALUES ('many')")
        == .dataType)
    #expect(
      try violated(
        "CREATE TABLE book(id INTEGER PRIMARY KEY)", "INSERT INTO book VALUES ('one')")
        == .dataType)
    #expect(
      try violated(
        "CREATE TABLE book(pages)",
        """
        CREATE TRIGGER guard BEFORE INSERT ON book
        BEGIN SELECT RAISE(ABORT, 'the shelf is full'); END
        """, "INSERT INTO book VALUES (1)") == .trigger(message: "the shelf is full"))
  }

  @Test
  func `SQLiteError(causeOf:) finds the violated constraint in a chain of wrapping errors`()
    throws
  {
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE book(title TEXT UNIQUE, pages INTEGER CHECK (pages > 0))")
    try database.execute("INSERT INTO book VALUES ('Dune', 412)")
    let statements: [SQL] = [
      "INSERT INTO book VALUES ('Dune', 1)", "INSERT INTO book VALUES ('Emma', 0)",
    ]

    let found = statements.map { statement -> StorageError.Constraint? in
      do {
        do {
          try database.execute(statement)
          return nil
        } catch {
          throw StorageError(.io, "cannot register the book", underlying: error)
        }
      } catch {
        return SQLiteError(causeOf: error)?.constraint
      }
    }

    #expect(found == [.unique(columns: ["title"]), .check(name: "pages > 0")])
  }

  @Test(
    arguments: [
      (.unique(columns: ["title", "author"]), "UNIQUE (title, author)"),
      (.unique(columns: []), "UNIQUE"), (.foreignKey, "FOREIGN KEY"),
      (.notNull(column: "title"), "NOT NULL (title)"),
      (.check(name: "pages > 0"), "CHECK (pages > 0)"),
      (.dataType, "data type"), (.trigger(message: "closed\n"), #"RAISE (closed\u{a})"#),
    ] as [(StorageError.Constraint, String)])
  func `the description of a constraint uses its SQL keywords`(
    constraint: StorageError.Constraint, text: String
  ) {
    #expect("\(constraint)" == text)
  }

  @Test func `the constraint property of an error that is not from SQLite is nil`() {
    #expect(StorageError(.io, "cannot read").constraint == nil)
  }
}
