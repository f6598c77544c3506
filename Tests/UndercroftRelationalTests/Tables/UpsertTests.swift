import BehaviourTrait
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct UpsertTests {
  @Test(.behaviour("A-CT-S01"))
  func `upserting a record with a key into an empty table inserts one row with that key`() throws {
    try Database.inMemory().write { db in
      let edition = Edition(id: 7, isbn: "1", title: "Dune")
      try #expect(Edition.table.upsertAndFetch(edition, on: \.isbn, in: db) == edition)
      try #expect(Edition.fetchAll(in: db) == [edition])
    }
  }

  @Test(.behaviour("A-CT-S02"), .behaviour("A-CT-S03"))
  func `an upsert updates the row with the same unique value, and can ignore nil properties`()
    throws
  {
    try Database.inMemory().write { db in
      let first = Edition(isbn: "1", title: "Dune", rating: 5, note: "lent", shelf: "C")
      try Edition.table.insertAll([Edition(isbn: "0"), first], in: db)
      let second = Edition(isbn: "1", title: "Dune II", rating: 4, shelf: nil)
      let keeping = try Edition.table.upsertAndFetch(
        second, on: \.isbn, overwritingWithNil: false, in: db)
      let expected = Edition(
        id: 2, isbn: "1", title: "Dune II", rating: 4, note: "lent", shelf: "C")
      #expect(keeping == expected)

      let overwriting = try Edition.table.upsertAndFetch(second, on: \.isbn, in: db)
      #expect(
        overwriting == Edition(id: 2, isbn: "1", title: "Dune II", rating: 4, shelf: "unsorted"))

      #expect(try Edition.find(2 as Int64, in: db) == overwriting)
      #expect(try Edition.fetchCount(in: db) == 2)
    }
  }

  @Test(.behaviour("A-CT-S04"))
  func `an upsert updates the row with the record's key if no row has the same unique value`()
    throws
  {
    try Database.inMemory().write { db in
      try Edition.table.insertAll(["1", "2"].map { Edition(isbn: $0, title: $0) }, in: db)
      let edition = Edition(id: 2, isbn: "3", title: "Emma")
      try #expect(Edition.table.upsertAndFetch(edition, on: \.isbn, in: db) == edition)
      #expect(try Edition.find(2 as Int64, in: db) == edition)

      // If the unique value and the key match two rows, upsert updates the row with the unique
      // value and keeps the key of that row.
      let both = try Edition.table.upsertAndFetch(
        Edition(id: 2, isbn: "1", title: "Both"), on: \.isbn, in: db)
      #expect(both == Edition(id: 1, isbn: "1", title: "Both"))
      #expect(try Edition.find(2 as Int64, in: db) == edition)
      #expect(try Edition.fetchCount(in: db) == 2)
    }
  }

  @Test(.behaviour("A-CT-S05"), .behaviour("A-GY-05"))
  func `an upsert that matches no row inserts a row with a new key and fires only INSERT triggers`()
    throws
  {
    try Database.inMemory().write { db in
      try Edition.table.insertAll((1...10).map { Edition(title: "\($0)") }, in: db)
      try db.execute("CREATE TABLE log(what TEXT)")
      try db.execute(
        "CREATE TRIGGER a AFTER INSERT ON edition BEGIN INSERT INTO log VALUES ('i'); END")
      try db.execute(
        "CREATE TRIGGER b AFTER UPDATE ON edition BEGIN INSERT INTO log VALUES ('u'); END")
      try db.execute(
        "CREATE TRIGGER c AFTER DELETE ON edition BEGIN INSERT INTO log VALUES ('d'); END")

      let stored = try Edition.table.upsertAndFetch(Edition(title: "Dune"), in: db)
      #expect(stored == Edition(id: 11, title: "Dune"))
      try #expect(Edition.table.upsertAndFetch(Edition(isbn: "1"), on: \.isbn, in: db).id == 12)
      #expect(try db.fetchValue("SELECT group_concat(what, '') FROM log", as: String.self) == "ii")

      var changed = stored
      changed.title = "Emma"
      try #expect(Edition.table.upsertAndFetch(changed, in: db) == changed)
      #expect(try db.fetchValue("SELECT group_concat(what, '') FROM log", as: String.self) == "iiu")
      #expect(try Edition.fetchCount(in: db) == 12)
    }
  }

  @Test(.behaviour("A-CT-S06"), .behaviour("A-GY-18"))
  func `several upserts in a transaction are committed or rolled back together`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try Edition.table.insert(Edition(isbn: "1", title: "Dune"), in: db)
    }
    let upserts: @Sendable (Connection) throws -> Void = { db in
      try db.transaction { db in
        for number in 1...5 {
          try Edition.table.upsert(Edition(isbn: "\(number)", title: "new"), on: \.isbn, in: db)
        }
        let list = (4...8).map { Edition(isbn: "\($0)", title: "newer") }
        try Edition.table.upsertAll(list, on: \.isbn, in: db)
      }
    }

    #expect(throws: Unwelcome.self) {
      try database.write { db in
        try upserts(db)
        #expect(try Edition.fetchCount(in: db) == 8)
        throw Unwelcome()
      }
    }

    try #expect(
      database.read { db in try Edition.order { $0.id }.fetchValues(in: db, { $0.title }) }
        == ["Dune"])

    try database.write { db in try upserts(db) }
    #expect(try database.read { db in try Edition.fetchCount(in: db) } == 8)
  }

  @Test(.behaviour("A-CT-S07"))
  func `upserting a record with neither a key nor a unique value throws and rolls back the batch`()
    throws
  {
    try Database.inMemory().write { db in
      let error = #expect(throws: StorageError.self) {
        try Edition.table.upsert(Edition(title: "Dune"), on: \.isbn, in: db)
      }
      #expect(error?.code == .misuse)

      let failed = #expect(throws: BatchElementError.self) {
        try Edition.table.upsertAll(
          [Edition(isbn: "1"), Edition(title: "Dune")], on: \.isbn, in: db)
      }
      #expect(failed?.index == 1)
      #expect(try Edition.fetchCount(in: db) == 0)

      // With a key, the row can be found.
      try Edition.table.upsert(Edition(id: 3, title: "Dune"), on: \.isbn, in: db)
      #expect(try Edition.order { $0.id }.fetchValues(in: db, { $0.id }) == [3])
    }
  }

  @Test(.behaviour("A-CT-S08"))
  func `an upsert on columns without a unique constraint throws`() throws {
    try Database.inMemory().write { db in
      let error = #expect(throws: StorageError.self) {
        try Edition.table.upsert(Edition(title: "Dune"), on: \.title, in: db)
      }
      #expect(error?.message.contains("declare the column unique") == true)

      // The constraint must exist in the schema of the file, not only in the declaration.
      try db.execute(
        "CREATE TABLE edition(id INTEGER PRIMARY KEY AUTOINCREMENT, isbn TEXT, title TEXT NOT NULL, rating INTEGER, note TEXT, shelf TEXT DEFAULT 'unsorted')"
      )
      #expect(throws: StorageError.self) {
        try Edition.table.upsert(Edition(isbn: "1", title: "Dune"), on: \.isbn, in: db)
      }
    }
  }

  @Test func `an upsert supports composite keys and tables with only a key column`() throws {
    try Database.inMemory().write { db in
      for days in [14, 28] {
        try Lending.table.upsert(Lending(reader: "Ada", book: "Dune", days: days), in: db)
      }

      try Lending.table.upsert(
        Lending(reader: "Ada", book: "Dune", days: 30), on: \.book, \.reader, in: db)
      try #expect(
        Lending.fetchAll(in: db) == [Lending(reader: "Ada", book: "Dune", days: 30)])

      #expect(throws: StorageError.self) {
        try Lending.table.upsert(Lending(reader: "Ada", book: "Dune"), on: \.book, in: db)
      }

      let tag = Tag(name: "new")
      try #expect(Tag.table.upsertAndFetch(tag, in: db) == tag)
      try #expect(Tag.table.upsertAndFetch(tag, in: db) == tag)
      try #expect(Tag.table.update(tag, in: db) == 1)
      #expect(try Tag.fetchCount(in: db) == 1)
    }
  }

  private struct Tag: TableRecord, Equatable {
    var name: String
    static let table = Table("tag", Tag.init, Column("name", \.name).primaryKey())
  }

  struct Line: TableRecord, Equatable {
    var id: Int64?
    var code: String
    var text: String?
    var count: Int
    static let table = Table(
      "line", Line.init, Column("id", \.id).primaryKey(), Column("code", \.code).unique(),
      Column("text", \.text).check("text <> ''"),
      Column("count", \.count).check("count BETWEEN 0 AND 20"))
    static let checked = table.checking { _ in }
  }

  @Test(arguments: [false, true])
  func `upserting named columns of an existing row ignores the record's other values`(
    isChecked: Bool
  )
    throws
  {
    let table = isChecked ? Line.checked : Line.table
    try Database.inMemory().write { db in
      try table.insertAll(
        [
          Line(id: 1, code: "a", text: "one", count: 1),
          Line(id: 2, code: "b", text: "two", count: 2),
        ], in: db)
      // The count violates its check, and the code is that of another row.
      let stored = try table.upsertAndFetch(
        Line(id: 1, code: "b", text: "new", count: 99), only: \.text, in: db)
      #expect(stored == Line(id: 1, code: "a", text: "new", count: 1))

      let same = try table.upsertAndFetch(
        Line(id: 1, code: "a", text: nil, count: 5), overwritingWithNil: false, in: db)
      #expect(same == Line(id: 1, code: "a", text: "new", count: 5))

      // A new row is inserted with all columns.
      #expect(throws: StorageError.self) {
        try table.upsert(Line(id: 3, code: "c", text: "new", count: 99), only: \.text, in: db)
      }
      #expect(try table.fetchCount(in: db) == 2)
    }
  }
}
