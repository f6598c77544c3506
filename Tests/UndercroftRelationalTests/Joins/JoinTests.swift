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
      try Author.table.insertAll(
        [Author(name: "Herbert"), Author(name: "Austen")], in: db)
    }
    return database
  }

  @Test(.behaviour("A-GY-10"), .behaviour("A-WC-39"))
  func `tables with columns of the same name can be joined`() throws {
    let database = try library()
    try database.read { db in
      let pairs = try Volume.join(Author.all) { $0.authorID == $1.id }
        .where { volume, author in volume.rating >= 4 && author.name != "Nobody" }
        .order { volume, author in author.name }.order { volume, author in volume.id.descending }
        .fetchAll(in: db)
      #expect(pairs.map(\.0) == [Volume.shelf[2], Volume.shelf[1], Volume.shelf[0]])
      #expect(pairs.map(\.1.name) == ["Austen", "Austen", "Herbert"])
      #expect(pairs.map(\.1.id) == [2, 2, 1])
    }
  }

  @Test(.behaviour("A-GY-11"))
  func `a left join returns nil for a missing right row, and a cross join returns all pairs`()
    throws
  {
    let database = try library()
    try database.read { db in
      let all = try Volume.leftJoin(Author.all) { $0.authorID == $1.id }
        .order { volume, _ in volume.id }.fetchAll(in: db)
      #expect(all.map(\.0.id) == [1, 2, 3, 4, 5])
      #expect(all.map(\.1?.name) == ["Herbert", "Austen", "Austen", nil, nil])

      let cross = Volume.crossJoin(Author.all)
      #expect(try cross.fetchCount(in: db) == 10)
      #expect(!cross.command.description.contains(" ON "))

      let first = try cross.order { $1.id.descending }.order { volume, _ in volume.id }.limit(1)
        .fetchOne(in: db)
      #expect(first?.0 == Volume.shelf[0])
      #expect(first?.1.name == "Austen")
    }
  }

  @Test func `a selected column of a left-joined table is nil in a row without a match`() throws {
    let database = try library()
    try database.read { db in
      let volumes = Volume.leftJoin(Author.all) { $0.authorID == $1.id }
        .order { volume, _ in volume.id }

      let pairs: [(String, String?)] = try volumes.select { ($0.title, $1.name) }.fetchAll(in: db)
      let keys: [Int64?] = try volumes.select { $1.id }.fetchAll(in: db)
      let counts = try volumes.select { ($0.rowCount, $1.id.count, $1.rowCount) }
        .fetchOne(in: db)

      #expect(pairs.map(\.0) == Volume.shelf.map(\.title))
      #expect(pairs.map(\.1) == ["Herbert", "Austen", "Austen", nil, nil])
      #expect(keys == [1, 2, 2, nil, nil])
      #expect(counts.map { [$0.0, $0.1, $0.2] } == [5, 3, 5])
    }
  }

  @Test func `columns of a left-joined table can be used in further joins and conditions`()
    throws
  {
    func isAusten(_ author: Columns<Author>) -> Condition { author.name == "Austen" }
    let database = try library()
    try database.read { db in
      let volumes = Volume.leftJoin(Author.all) { $0.authorID == $1.id }
        .order { volume, _ in volume.id }

      let byAusten = try volumes.where { isAusten($1.columns) }.fetchAll(in: db)
      let unknown = try volumes.where { $1.name == nil }.fetchAll(in: db)
      let names = try volumes.join(Author.all) { $1.id == $2.id }
        .select { ($1.name.coalesce("unknown"), $2.name) }.fetchAll(in: db)

      #expect(byAusten.map(\.0.id) == [2, 3])
      #expect(unknown.map(\.0.id) == [4, 5])
      #expect(names.map(\.0) == ["Herbert", "Austen", "Austen"])
      #expect(names.map(\.1) == names.map(\.0))
    }
  }

  @Test func `the error for reading NULL as a value that is not optional suggests coalesce`()
    throws
  {
    let database = try library()
    try database.read { db in
      let volumes = Volume.leftJoin(Author.all) { $0.authorID == $1.id }

      let error = #expect(throws: StorageError.self) {
        try volumes.select { $1.columns.name }.fetchAll(in: db)
      }

      #expect(error?.code == .decodingFailed)
      #expect(error?.message.contains("use coalesce") == true)
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
      for table in [Name.table, Name.indexed] { try table.insertAll(names, in: db) }

      let pairs = try [Name.table, Name.indexed].map { table in
        try Volume.leftJoin(table) { $1.text.like(pattern) && $0.id == 1 }
          .order { volume, _ in volume.id }.order { _, name in name.text }.fetchAll(in: db)
      }

      #expect(Set(pairs[1].map(\.0.id)) == [1, 2, 3, 4, 5])
      #expect(pairs[1].map(\.1) == pairs[0].map(\.1))
    }
  }

  @Test
  func `a left join returns a matching right row as a record even if all its columns are NULL`()
    throws
  {
    struct Remark: TableRecord, Equatable {
      var text: String?
      static let table = Table("remark", Remark.init, Column("text", \.text))
    }
    let database = try Volume.library()
    try database.write { db in
      try Remark.table.insert(Remark(text: nil), in: db)
      let rows = try Volume.leftJoin(Remark.all) { volume, _ in volume.id == 1 }
        .order { volume, _ in volume.id }.limit(2).fetchAll(in: db)
      #expect(rows.map(\.1) == [Remark(text: nil), nil])
    }
  }

  @Test func `a table can be joined with itself and with a third table`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try Reader.table.insertAll(
        [
          Reader(name: "Ada"), Reader(name: "Bo", sponsorID: 1), Reader(name: "Cy", sponsorID: 2),
        ], in: db)

      let pairs = try Reader.join(Reader.all) { $0.sponsorID == $1.id }
        .order { reader, _ in reader.id }.fetchAll(in: db)
      #expect(pairs.map(\.0.name) == ["Bo", "Cy"])
      #expect(pairs.map(\.1.name) == ["Ada", "Bo"])

      let chains = try Reader.join(Reader.all) { $0.sponsorID == $1.id }
        .leftJoin(Reader.all) { _, sponsor, former in sponsor.sponsorID == former.id }
        .order { reader, _, _ in reader.name }
        .fetchAll(in: db)
      #expect(chains.map(\.2?.name) == [nil, "Ada"])

      let names = try Reader.join(Reader.all) { $0.sponsorID == $1.id }
        .where { _, _ in Condition("\"reader2\".\"name\" = \("Ada")") }
        .select { ($0.name, $1.name) }.fetchAll(in: db)
      #expect(names.map(\.0) == ["Bo"])
    }
  }

  /// A loan of a volume.
  private struct Loan: TableRecord, Equatable {
    var id: Int64
    var volumeID: Int64
    var days: Int
    static let table = Table(
      "loan", Loan.init, Column("id", \.id).primaryKey(), Column("volume_id", \.volumeID),
      Column("days", \.days))
    static let desk = [
      Loan(id: 1, volumeID: 1, days: 30), Loan(id: 2, volumeID: 2, days: 7),
      Loan(id: 3, volumeID: 3, days: 21), Loan(id: 4, volumeID: 4, days: 28),
    ]
  }

  @Test func `three tables can be joined, filtered, ordered and projected in one expression`()
    throws
  {
    let database = try library()
    try database.write { db in
      try Loan.table.insertAll(Loan.desk, in: db)

      let lent = try Author.join(Volume.all) { author, volume in author.id == volume.authorID }
        .join(Loan.all) { author, volume, loan in loan.volumeID == volume.id }
        .where { author, volume, loan in volume.rating > 3 && loan.days > 14 }
        .order { author, volume, loan in loan.days.descending }
        .select { author, volume, loan in (author.name, volume.title, loan.days) }
        .fetchAll(in: db)
      #expect(lent.map(\.0) == ["Herbert", "Austen"])
      #expect(lent.map(\.1) == ["Dune", "emma_2"])
      #expect(lent.map(\.2) == [30, 21])

      let late = try Loan.where { $0.days > 14 }.join(Volume.all) { $0.volumeID == $1.id }
        .leftJoin(Author.where { $0.name != "Austen" }) { $1.authorID == $2.id }
        .where { $1.rating > 1 && ($0.days > 21 || $2.name == nil) }
        .order { $2.name.nullsLast }.order { loan, _, _ in loan.id.descending }
        .limit(2, offset: 1)
        .fetchAll(in: db)
      #expect(late.map(\.0.id) == [4, 3])
      #expect(late.map(\.1.title) == ["Ulysses", "emma_2"])
      #expect(late.map(\.2) == [nil, nil])
    }
  }

  @Test func `a join of four tables that is stored in a variable can be joined with a fifth table`()
    throws
  {
    let database = try library()
    try database.write { db in
      try Loan.table.insertAll(Loan.desk, in: db)

      let others = Loan.join(Volume.all) { loan, volume in loan.volumeID == volume.id }
        .join(Author.all) { loan, volume, author in volume.authorID == author.id }
        .join(Volume.all) { loan, volume, author, other in
          other.authorID == author.id && other.id != volume.id
        }
        .order { loan, volume, author, other in loan.id }
      let titles = try others.select { ($1.title, $3.title) }.fetchAll(in: db)
      let all = others.leftJoin(Loan.all) { $3.id == $4.volumeID && $4.days > 14 }
      let again = try all.fetchAll(in: db)

      #expect(titles.map(\.0) == ["Emma", "emma_2"])
      #expect(titles.map(\.1) == ["emma_2", "Emma"])
      #expect(again.map(\.4?.id) == [3, nil])
    }
  }

  @Test func `the rows of a join can be counted, and an iteration over the rows can stop early`()
    throws
  {
    let database = try library()
    try database.write { db in
      try Loan.table.insertAll(Loan.desk, in: db)
      let pairs = Loan.join(Volume.all) { $0.volumeID == $1.id }.order { loan, _ in loan.id }
      let triples = pairs.leftJoin(Author.all) { $1.authorID == $2.id }
      var (titles, names) = ([String](), [String?]())

      try pairs.forEachUntil(in: db) { loan, volume in
        titles.append(volume.title)
        return loan.id == 2 ? .stop : .continue
      }
      try triples.forEachUntil(in: db) { loan, _, author in
        names.append(author?.name)
        return loan.id == 2 ? .stop : .continue
      }
      try triples.forEach(in: db) { _, volume, _ in titles.append(volume.title) }

      #expect(try pairs.fetchCount(in: db) == 4)
      #expect(try triples.fetchCount(in: db) == 4)
      #expect(titles == ["Dune", "Emma", "Dune", "Emma", "emma_2", "Ulysses"])
      #expect(names == ["Herbert", "Austen"])
    }
  }

  @Test func `each side of a join can be filtered before joining`() throws {
    let database = try library()
    try database.read { db in
      let rows = try Volume.where { $0.id < 3 }
        .leftJoin(Author.where { $0.name == "Austen" }) { $0.authorID == $1.id }
        .order { volume, _ in volume.id }.fetchAll(in: db)
      #expect(rows.map(\.0.id) == [1, 2])
      #expect(rows.map(\.1?.name) == [nil, "Austen"])
    }
  }

  @Test func `in a read, a join treats a table that does not exist yet as an empty table`() throws {
    let database = try Volume.library()
    try database.read { db in
      #expect(try Volume.join(Author.all) { $0.authorID == $1.id }.fetchCount(in: db) == 0)
      let all = try Volume.leftJoin(Author.all) { $0.authorID == $1.id }.fetchAll(in: db)
      #expect(all.count == 5)
      #expect(all.allSatisfy { $0.1 == nil })
    }

    let empty = try Database.inMemory()
    try #expect(
      empty.read { db in
        try Volume.join(Author.all) { $0.authorID == $1.id }.fetchAll(in: db).count
      } == 0)
  }

  @Test(.behaviour("A-GY-10"))
  func `fetching records by SQL matches columns by name and throws for a duplicate column name`()
    throws
  {
    let database = try library()
    try database.read { db in
      let authors = try Author.fetchAll(
        sql: "SELECT 7 AS more, name, ID FROM author WHERE id > \(1)", in: db)
      #expect(authors == [Author(id: 2, name: "Austen")])

      let error = #expect(throws: StorageError.self) {
        try Author.fetchAll(
          sql: "SELECT * FROM author JOIN volume ON author.id = volume.author_id", in: db)
      }
      #expect(error?.code == .misuse)
      #expect(error?.message.contains("\"id\"") == true)

      #expect(throws: StorageError.self) {
        try Author.fetchAll(sql: "SELECT id FROM author", in: db)
      }

      let joined = try Author.fetchAll(
        sql: "SELECT author.*, volume.title FROM author JOIN volume ON author.id = author_id",
        in: db)
      #expect(joined.map(\.name) == ["Herbert", "Austen", "Austen"])
    }

    let empty = try Database.inMemory()
    try empty.read { db in
      let none = try Author.fetchAll(sql: "SELECT * FROM author", in: db)
      #expect(none == [])
      for sql in [
        "WITH RECURSIVE \u{301}a AS (SELECT * FROM author) SELECT * FROM \u{301}a",
        "/* all */ WITH a AS (WITH RECURSIVE b(x) AS (SELECT 1) SELECT author.* FROM author, b) SELECT * FROM a",
      ] as [SQL] { #expect(try Author.fetchOne(sql: sql, in: db) == nil) }
    }
  }
}
