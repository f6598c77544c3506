import BehaviourTrait
import Foundation
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

/// A shelf, declared in several ways for the same table.
struct Shelf: TableRecord, Equatable {
  var id: Int64?
  var room: String
  var place: Int

  static let table = plain.indexed(\.room)

  static let plain = Table(
    "shelf", Shelf.init, Column("id", \.id).primaryKey(), Column("room", \.room),
    Column("place", \.place).default(7))
}

@Suite struct PreparationTests {
  private func indexes(_ db: Connection) throws -> [String] {
    try db.schema().filter { $0.kind == .index }.map { $0.sql ?? "" }.sorted()
  }

  @Test(.behaviour("A-CT-X01"), .behaviour("A-CT-X02"), .behaviour("A-GY-17"))
  func `preparing a table updates its declared indexes and changes no index created by raw SQL`()
    throws
  {
    try Database.inMemory().write { db in

      try Shelf.plain.indexed(\.room).indexed(\.room, \.place, unique: true).prepare(in: db)
      try db.execute(#"CREATE INDEX by_hand ON shelf(place)"#)
      try db.execute(#"CREATE UNIQUE INDEX shelf_room ON shelf(place, room)"#)
      let byHand = [
        "CREATE INDEX by_hand ON shelf(place)",
        "CREATE UNIQUE INDEX shelf_room ON shelf(place, room)",
      ]

      try #expect(
        indexes(db)
          == [#"CREATE INDEX "undercroft.shelf.room" ON "shelf" ("room")"#, byHand[0]].sorted()
          + [
            #"CREATE UNIQUE INDEX "undercroft.shelf.room.place" ON "shelf" ("room", "place")"#,
            byHand[1],
          ].sorted())

      try Shelf.plain.indexed(\.room, where: "place > 3").indexed(\.room, \.place).prepare(in: db)
      try #expect(
        Set(indexes(db))
          == Set(
            [
              #"CREATE INDEX "undercroft.shelf.room" ON "shelf" ("room") WHERE place > 3"#,
              #"CREATE INDEX "undercroft.shelf.room.place" ON "shelf" ("room", "place")"#,
            ] + byHand))

      try Shelf.plain.prepare(in: db)
      #expect(try indexes(db) == byHand)
    }
  }

  @Test(.behaviour("A-WC-28"))
  func `declared indexes with similar table and column names get distinct index names`() throws {
    struct Row: Sendable {
      var a: Int
      var b: Int
      var c: Int
    }
    let columns = (
      Column("a_b", \Row.a), Column("c", \Row.b), Column("b_c", \Row.c)
    )
    try Database.inMemory().write { db in
      for name in ["test@Table", "test", "x.y", "x"] {
        let table = Table(name, Row.init, columns.0, columns.1, columns.2)
          .indexed(\.a, \.b).indexed(\.a, \.c).indexed(\.a, \.b, where: "c > 0")
        try table.prepare(in: db)
        #expect(try db.tableExists(name))
      }
      let names = try db.schema().filter { $0.kind == .index }.map(\.name)
      #expect(names.count == 12)
      #expect(names.contains(#"undercroft."test@Table".a_b.c"#))
      #expect(names.contains("undercroft.test.a_b.c.2"))
    }
  }

  @Test(.behaviour("A-WC-27"))
  func `an index declared for new tables only is not added to an existing table`() throws {
    let table = Shelf.plain.indexed(\.room, onlyNewTables: true)
    try Database.inMemory().write { db in
      try table.prepare(in: db)
      #expect(try indexes(db).count == 1)
      // The table is verified again after a change of the schema.
      try db.execute("CREATE TABLE other(a)")
      try table.prepare(in: db)
      #expect(try indexes(db).count == 1)
    }
    try Database.inMemory().write { db in
      try Shelf.plain.prepare(in: db)
      try table.prepare(in: db)
      #expect(try indexes(db).isEmpty)
    }
  }

  @Test(.behaviour("A-CT-X04"))
  func `every insert throws until the existing rows satisfy a declared unique index`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE shelf(id INTEGER PRIMARY KEY, room TEXT NOT NULL)")
      try db.execute("INSERT INTO shelf(room) VALUES ('attic'), ('attic')")
    }
    let table = Shelf.plain.indexed(\.place).indexed(\.room, unique: true)

    for _ in 1...2 {
      try database.write { db in
        let error = #expect(throws: StorageError.self) {
          try table.insert(Shelf(room: "cellar", place: 1), in: db)
        }
        #expect(error?.code == .constraintViolated)
      }
      let schema = try database.read { db in try db.schema() }
      #expect(schema.count == 1)
      #expect(schema.first?.sql?.contains("place") == false)
    }

    try database.write { db in
      try db.execute("DELETE FROM shelf WHERE id = 2")
      try table.insert(Shelf(room: "cellar", place: 1), in: db)
      #expect(try table.fetchCount(in: db) == 2)
    }
  }

  @Test(.behaviour("A-CT-X03"))
  func `a table definition lists the names, types and primary key of the declared columns`() {
    #expect(Shelf.table.definition.columns.map(\.name) == ["id", "room", "place"])
    #expect(Shelf.table.definition.columns.map(\.type) == [.integer, .text, .integer])
    #expect(Shelf.table.definition.columns.map(\.isOptional) == [true, false, false])
    #expect(Copy.table.definition.columns.map(\.isPrimaryKey) == [true, true, false, false])
  }

  @Test(.behaviour("A-WC-26"), .behaviour("A-GY-09"))
  func `using a table in a write adds missing columns, and retains and reports undeclared ones`()
    throws
  {
    struct Renamed: TableRecord, Equatable {
      var id: Int64?
      var hall: String?

      static let table = Table(
        "shelf", Renamed.init, Column("id", \.id).primaryKey(),
        // The property now has another column.
        Column("HALL", \.hall).default("none"))
    }
    try Database.inMemory().write { db in
      try db.execute("CREATE TABLE Shelf(ID INTEGER PRIMARY KEY, Room TEXT, Hue TEXT)")
      try db.execute("INSERT INTO shelf VALUES (1, 'attic', 'red')")

      try #expect(
        Renamed.find(1 as Int64, in: db) == Renamed(id: 1, hall: "none"))
      #expect(try db.columns(of: "shelf").map(\.name) == ["ID", "Room", "Hue", "HALL"])
      #expect(try Renamed.table.undeclaredColumns(in: db).map(\.name) == ["Room", "Hue"])
      #expect(try db.fetchValue("SELECT hue FROM shelf", as: String.self) == "red")
    }
  }

  @Test
  func `tables that reference each other can be created, and their foreign keys are enforced`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      let club = try Club.table.insertAndFetch(Club(name: "Chess"), in: db)
      let reader = try Reader.table.insertAndFetch(Reader(name: "Ada", clubID: club.id), in: db)
      try Club.table.insert(Club(name: "Youth", founderID: reader.id, parentID: club.id), in: db)

      #expect(throws: StorageError.self) {
        try Reader.table.insert(Reader(name: "Bob", clubID: 99), in: db)
      }

      try Club.table.delete(club, in: db)
      #expect(try Club.fetchCount(in: db) == 0)
      #expect(try Reader.fetchAll(in: db).map(\.clubID) == [nil])
    }
  }

  @Test func `composite foreign keys, checks, generated columns and partial indexes are enforced`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try Copy.table.insert(Copy(isbn: "1", number: 1, shelf: "A", place: 4), in: db)
      let loan = try Loan.table.insertAndFetch(
        Loan(isbn: "1", number: 1, lent: 10, returned: 50), in: db)
      #expect(loan.fee == 10)
      try Loan.table.insert(Loan(isbn: "1", number: 1, lent: 60), in: db)

      func expectRefusal(_ body: () throws -> Void) {
        let error = #expect(throws: StorageError.self) { try body() }
        #expect(error?.code == .constraintViolated)
      }

      expectRefusal {
        _ = try Loan.table.insertAndFetch(Loan(isbn: "1", number: 1, lent: 61), in: db)
      }
      expectRefusal {
        _ = try Loan.table.insertAndFetch(Loan(isbn: "1", number: 2, lent: 1), in: db)
      }
      expectRefusal {
        _ = try Loan.table.insert(Loan(isbn: "1", number: 1, lent: 9, returned: 8), in: db)
      }
      expectRefusal {
        _ = try Copy.table.insert(Copy(isbn: "2", number: 1, shelf: "A", place: 4), in: db)
      }
      expectRefusal { _ = try Copy.table.insertAndFetch(Copy(isbn: "2", number: 0), in: db) }
      expectRefusal {
        _ = try Copy.table.insertAndFetch(Copy(isbn: "2", number: 1, shelf: "A"), in: db)
      }
      expectRefusal { _ = try db.execute("INSERT INTO copy(isbn, number) VALUES ('3', 'many')") }
      expectRefusal { _ = try db.execute("DELETE FROM copy") }
    }
  }

  @Test(.behaviour("A-GY-09"))
  func `reads return the same rows before and after a write adds the missing columns of a table`()
    throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try Database(at: folder.appending(path: "shelf.sqlite"))
    struct Hall: TableRecord, Equatable {
      var id: Int64?
      var room: String
      var place: Int
      var label: String?

      static let table = Table(
        "shelf", Hall.init, Column("id", \.id).primaryKey(), Column("room", \.room),
        Column("place", \.place).default(7),
        Column("label", \.label).generated(as: "room || ' ' || place"))
    }
    try database.write { db in
      try db.execute("CREATE TABLE shelf(id INTEGER PRIMARY KEY, room TEXT NOT NULL)")
      try db.execute("INSERT INTO shelf VALUES (1, 'attic')")
    }
    let expected = [Hall(id: 1, room: "attic", place: 7, label: "attic 7")]

    #expect(try database.read { db in try Hall.fetchAll(in: db) } == expected)
    #expect(try database.read { db in try db.columns(of: "shelf").count } == 2)

    let stored = try database.write { db in try Hall.fetchAll(in: db) }
    #expect(stored == expected)

    #expect(try database.read { db in try db.columns(of: "shelf").count } == 4)
    #expect(try database.read { db in try Hall.fetchAll(in: db) } == expected)
  }
}
