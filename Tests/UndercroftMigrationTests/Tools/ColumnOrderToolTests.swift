import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// Tests that each schema tool leaves the same rows in a table in every order of its columns.
@Suite struct ColumnOrderToolTests {
  /// The definitions of the columns of `book`.
  ///
  /// No value is in two of the columns.
  private static let columns = [
    "id INTEGER PRIMARY KEY", "title TEXT NOT NULL", "isbn TEXT UNIQUE", "shelf TEXT",
    "pages INTEGER", "sort TEXT AS (lower(title))",
  ]

  private static func table(_ order: [Int]) throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      let list = order.map { columns[$0] }.joined(separator: ", ")
      try db.execute(SQL(unchecked: "CREATE TABLE book (\(list))"))
      try db.executeScript(
        """
        CREATE TABLE reader (id INTEGER PRIMARY KEY, name TEXT);
        INSERT INTO book (id, title, isbn, shelf, pages) VALUES
          (3, 'Dune', '0-1', 'A', 412), (5, 'Emma', '0-2', 'B', 474), (8, 'Walden', NULL, 'A', 352)
        """)
    }
    return database
  }

  /// Returns the rows of all tables, with the columns in the order of their names.
  private static func contents(of database: Database) throws -> [String] {
    let tables = try database.read { db in
      try DatabaseSchema(of: db).objects.filter { $0.kind == .table }.map(\.name).sorted()
    }
    return try tables.flatMap { table in
      let names = try database.read { db in try db.columns(of: table).map(\.name).sorted() }
      let list = names.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
      return try database.rows("SELECT \(list) FROM \(identifier: table) ORDER BY \(list)")
        .map { "\(table)(\(names.joined(separator: ","))): \($0)" }
    }
  }

  /// A schema tool, as a step calls it.
  enum Tool: CaseIterable {
    case rebuild, change, drop, rename, split, merge, convert, copy

    func run(in db: Connection) throws {
      switch self {
      case .rebuild:
        try db.rebuildTable(
          "book",
          as: """
            CREATE TABLE book (shelf TEXT, pages REAL, title TEXT NOT NULL, id INTEGER PRIMARY KEY,
              code TEXT)
            """,
          copying: ["code": "isbn"])
      case .change: try db.changeColumn("pages", of: "book", to: "TEXT", converting: "pages + 1")
      case .drop: try db.dropColumn("shelf", of: "book")
      case .rename:
        try db.renameColumn("shelf", of: "book", to: "place")
        try db.renameTable("book", to: "volume")
      case .split: try db.splitTable("book", moving: ["isbn", "shelf"], to: "detail", key: "id")
      case .merge:
        try Self.split.run(in: db)
        try db.mergeTable("detail", into: "book", key: "id")
      case .convert:
        try db.convertRows(of: "book", reading: ["title"], writing: ["shelf"]) { row in
          [try row[0] as String]
        }
      case .copy:
        try db.copyRows(from: "SELECT title FROM book", into: "reader", columns: ["name"]) { row in
          [try row[0] as String]
        }
      }
    }
  }

  @Test(arguments: Tool.allCases, [[5, 4, 3, 2, 1, 0], [4, 0, 1, 2, 3, 5], [2, 5, 0, 4, 1, 3]])
  func `changing a table's schema or rows has the same result for every order of the columns`(
    tool: Tool, order: [Int]
  ) throws {
    let declared = try Self.table(Array(Self.columns.indices))
    let other = try Self.table(order)
    let before = try Self.contents(of: declared)

    for database in [declared, other] { try database.step { db in try tool.run(in: db) } }

    #expect(try Self.contents(of: other) == Self.contents(of: declared))
    #expect(try (Self.contents(of: other) == before) == (tool == .merge))
  }

  @Test(arguments: [1, 5])
  func `rows can be redistributed between partitions whose columns have different orders`(
    count: Int
  )
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE visit_0 (id INTEGER PRIMARY KEY, reader TEXT, day TEXT UNIQUE);
        CREATE TABLE visit_1 (day TEXT UNIQUE, reader TEXT, id INTEGER PRIMARY KEY);
        CREATE TABLE visit_2 (reader TEXT, day TEXT UNIQUE, id INTEGER PRIMARY KEY);
        """)
      for id in 1...12 {
        try db.execute(
          """
          INSERT INTO \(identifier: "visit_\(id % 3)") (id, reader, day)
          VALUES (\(id), \("reader \(id)"), \("day \(id)"))
          """)
      }
    }

    try database.step { db in try db.redistribute("visit", key: "id", from: 3, to: count) }

    for number in 0..<count {
      #expect(
        try database.rows("SELECT id, reader, day FROM \(identifier: "visit_\(number)")")
          == (1...12).filter { $0 % count == number }.map { "\($0)|reader \($0)|day \($0)" })
    }
  }

  @Test func `the INSERT statements of a golden schema contain the column names`() throws {
    let database = try Self.table([2, 5, 0, 4, 1, 3])
    let golden = try database.read { db in try GoldenSchema(of: db) }

    let created = try golden.database()

    #expect(golden.text.contains("INSERT INTO \"book\" ("))
    #expect(try Self.contents(of: created) == Self.contents(of: database))
  }
}
