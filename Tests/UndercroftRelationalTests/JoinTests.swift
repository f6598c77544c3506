import BehaviourTrait
import Foundation
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct JoinTests {
  /// A reader who may have been sponsored by another reader.
  struct Reader: TableRecord, Equatable {
    var id: Int64?
    var name: String?
    var sponsorID: Int64?
    static let table = Table(
      "reader", Reader.init, Column("id", \.id).primaryKey(), Column("name", \.name),
      Column("sponsor_id", \.sponsorID))
  }

  private func library() throws -> Database {
    let database = try Volume.library()
    try database.write { db in
      try Author.table.insert(
        contentsOf: [Author(name: "Herbert"), Author(name: "Austen")], in: db)
    }
    return database
  }

  @Test(.behaviour("A-GY-10"), .behaviour("A-WC-39"))
  func `tables with columns of the same name are joined`() throws {
    let database = try library()
    try database.read { db in
      let pairs = try Volume.table.join(Author.table) { $0.authorID == $1.id }
        .where { volume, author in volume.rating >= 4 && author.name != "Nobody" }
        .order { volume, author in author.name }.order { volume, author in volume.id.descending }
        .fetchAll(in: db)
      #expect(pairs.map(\.0) == [Volume.shelf[2], Volume.shelf[1], Volume.shelf[0]])
      #expect(pairs.map(\.1.name) == ["Austen", "Austen", "Herbert"])
      #expect(pairs.map(\.1.id) == [2, 2, 1])
    }
  }

  @Test(.behaviour("A-GY-11"))
  func `a left join returns nil for a missing right row, and a cross join has no condition`() throws
  {
    let database = try library()
    try database.read { db in
      let all = try Volume.table.leftJoin(Author.table) { $0.authorID == $1.id }
        .order { volume, _ in volume.id }.fetchAll(in: db)
      #expect(all.map(\.0.id) == [1, 2, 3, 4, 5])
      #expect(all.map(\.1?.name) == ["Herbert", "Austen", "Austen", nil, nil])

      let cross = Volume.table.crossJoin(Author.table)
      #expect(try cross.count(in: db) == 10)
      #expect(!cross.command.description.contains(" ON "))

      let first = try cross.order { $1.id.descending }.order { volume, _ in volume.id }.limit(1)
        .first(in: db)
      #expect(first?.0 == Volume.shelf[0])
      #expect(first?.1.name == "Austen")
    }
  }

  @Test(arguments: ["orwell%", "HER%", "%"])
  func `a left join on a LIKE pattern returns every left row, with or without an index`(
    pattern: String
  ) throws {
    struct Name: TableRecord, Equatable {
      var text: String?
      static func declared(_ name: String) -> Table<Name> {
        Table(name, Name.init, Column("text", \.text).collated("NOCASE"))
      }
      static let table = declared("name")
      static let indexed = declared("indexed_name").indexed(\.text)
    }
    let database = try Volume.library()
    try database.write { db in
      let names = ["Herbert", nil, "Austen"].map { Name(text: $0) }
      for table in [Name.table, Name.indexed] { try table.insert(contentsOf: names, in: db) }

      let pairs = try [Name.table, Name.indexed].map { table in
        try Volume.table.leftJoin(table) { $1.text.like(pattern) && $0.id == 1 }
          .order { volume, _ in volume.id }.order { _, name in name.text }.fetchAll(in: db)
      }

      #expect(Set(pairs[1].map(\.0.id)) == [1, 2, 3, 4, 5])
      #expect(pairs[1].map(\.1) == pairs[0].map(\.1))
    }
  }

  @Test func `a left join returns a right row whose columns are all NULL`() throws {
    struct Remark: TableRecord, Equatable {
      var text: String?
      static let table = Table("remark", Remark.init, Column("text", \.text))
    }
    let database = try Volume.library()
    try database.write { db in
      try Remark.table.insert(Remark(text: nil), in: db)
      let rows = try Volume.table.leftJoin(Remark.table) { volume, _ in volume.id == 1 }
        .order { volume, _ in volume.id }.limit(2).fetchAll(in: db)
      #expect(rows.map(\.1) == [Remark(text: nil), nil])
    }
  }

  @Test func `a table is joined with itself and with a third table`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try Reader.table.insert(
        contentsOf: [
          Reader(name: "Ada"), Reader(name: "Bo", sponsorID: 1), Reader(name: "Cy", sponsorID: 2),
        ], in: db)

      let pairs = try Reader.table.join(Reader.table) { $0.sponsorID == $1.id }
        .order { reader, _ in reader.id }.fetchAll(in: db)
      #expect(pairs.map(\.0.name) == ["Bo", "Cy"])
      #expect(pairs.map(\.1.name) == ["Ada", "Bo"])

      let sponsored = Reader.table.join(Reader.table) { $0.sponsorID == $1.id }
      let further = sponsored.leftJoin(Reader.table) { _, sponsor, former in
        sponsor.sponsorID == former.id
      }
      let chains = try further.order { reader, _, _ in reader.name }.fetchAll(in: db)
      #expect(chains.map(\.2?.name) == [nil, "Ada"])

      let names = try Reader.table.join(Reader.table) { $0.sponsorID == $1.id }
        .where { _, _ in Condition("\"reader2\".\"name\" = \("Ada")") }
        .select { ($0.name, $1.name) }.fetchAll(in: db)
      #expect(names.map(\.0) == ["Bo"])
    }
  }

  @Test func `both sides of a join may be filtered before joining`() throws {
    let database = try library()
    try database.read { db in
      let rows = try Volume.table.where { $0.id < 3 }
        .leftJoin(Author.table.where { $0.name == "Austen" }) { $0.authorID == $1.id }
        .order { volume, _ in volume.id }.fetchAll(in: db)
      #expect(rows.map(\.0.id) == [1, 2])
      #expect(rows.map(\.1?.name) == [nil, "Austen"])
    }
  }

  @Test func `a read joins tables that do not exist yet as empty tables`() throws {
    let database = try Volume.library()
    try database.read { db in
      #expect(try Volume.table.join(Author.table) { $0.authorID == $1.id }.count(in: db) == 0)
      let all = try Volume.table.leftJoin(Author.table) { $0.authorID == $1.id }.fetchAll(in: db)
      #expect(all.count == 5)
      #expect(all.allSatisfy { $0.1 == nil })
    }

    let empty = try Database.inMemory()
    #expect(
      try empty.read { db in
        try Volume.table.join(Author.table) { $0.authorID == $1.id }.fetchAll(in: db).count
      } == 0)
  }

  @Test(.behaviour("A-GY-10"))
  func `records are read from SQL by column name, and a duplicate column name throws`() throws {
    let database = try library()
    try database.read { db in
      let authors = try Author.table.fetchAll(
        sql: "SELECT 7 AS more, name, ID FROM author WHERE id > \(1)", in: db)
      #expect(authors == [Author(id: 2, name: "Austen")])

      let error = #expect(throws: StorageError.self) {
        try Author.table.fetchAll(
          sql: "SELECT * FROM author JOIN volume ON author.id = volume.author_id", in: db)
      }
      #expect(error?.code == .misuse)
      #expect(error?.message.contains("\"id\"") == true)

      #expect(throws: StorageError.self) {
        try Author.table.fetchAll(sql: "SELECT id FROM author", in: db)
      }

      let joined = try Author.table.fetchAll(
        sql: "SELECT author.*, volume.title FROM author JOIN volume ON author.id = author_id",
        in: db)
      #expect(joined.map(\.name) == ["Herbert", "Austen", "Austen"])
    }

    let empty = try Database.inMemory()
    try empty.read { db in
      let none = try Author.table.fetchAll(sql: "SELECT * FROM author", in: db)
      #expect(none == [])
      for sql in [
        "WITH RECURSIVE \u{301}a AS (SELECT * FROM author) SELECT * FROM \u{301}a",
        "/* all */ WITH a AS (WITH RECURSIVE b(x) AS (SELECT 1) SELECT author.* FROM author, b) SELECT * FROM a",
      ] as [SQL] { #expect(try Author.table.first(sql: sql, in: db) == nil) }
    }
  }
}
