import BehaviourTrait
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct VerticalSplitTests {
  typealias Member = Membership.Member
  typealias Detail = Membership.Detail

  struct Person: Equatable {
    var id: Int64?
    var nickname: String?
    var biography: String?
    var city: String

    static let split = VerticalSplit(
      Table(
        "person", Person.init, Column("id", \.id).primaryKey(), Column("nickname", \.nickname),
        Column("biography", \.biography), Column("city", \.city).default("unknown")),
      of: Member.table, Detail.table)
  }

  @Test(.behaviour("A-CT-R06"))
  func `a vertical split stores and reads a record as two rows with the same key`()
    throws
  {
    let database = try Database.inMemory()

    let ada = try database.write { db in
      try Person.split.insertAndFetch(
        Person(id: nil, nickname: "ada", biography: "wrote", city: "London"), in: db)
    }

    #expect(ada == Person(id: 1, nickname: "ada", biography: "wrote", city: "London"))

    try database.read { db in
      try #expect(Member.fetchAll(in: db) == [Member(id: 1, nickname: "ada")])
      try #expect(
        Detail.fetchAll(in: db)
          == [Detail(memberID: 1, biography: "wrote", city: "London")])
      try #expect(Person.split.find(1 as Int64, in: db) == ada)
      try #expect(Person.split.fetchAll(in: db) == [ada])
      try #expect(Person.split.where { $0.city == "London" }.fetchCount(in: db) == 1)
      try #expect(Person.split.where { $0.city == "Basel" }.fetchAll(in: db) == [])
    }
  }

  @Test
  func `a record of a vertical split is updated, upserted and deleted in each of its two tables`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      var bob = try Person.split.upsertAndFetch(
        Person(id: nil, nickname: "bob", biography: nil, city: "Basel"), in: db)
      bob.biography = "reads"
      try #expect(Person.split.upsertAndFetch(bob, in: db) == bob)

      bob.city = "Bern"
      try #expect(Person.split.update(bob, in: db) == 1)
      #expect(try Person.split.find(1 as Int64, in: db) == bob)

      try #expect(
        Person.split.update(
          Person(id: 9, nickname: nil, biography: nil, city: ""), in: db) == 0)
      try #expect(Detail.fetchCount(in: db) == 1)

      // Columns that the virtual record does not name are unchanged.
      let values: ColumnValues = ["id": .integer(1), "city": .text("Zug")]
      try #expect(Person.split.upsertAndFetch(from: values, in: db).biography == "reads")
      #expect(try Person.split.find(1 as Int64, in: db)?.city == "Zug")

      let misspelt: ColumnValues = ["id": .integer(1), "citty": .text("Chur")]
      #expect(throws: StorageError.self) { try Person.split.upsert(from: misspelt, in: db) }
      #expect(try Person.split.fetchOne(in: db)?.city == "Zug")

      try #expect(Person.split.delete(bob, in: db) == 1)
      try #expect(Person.split.delete(key: 1 as Int64, in: db) == 0)
      try #expect(Member.fetchCount(in: db) == 0)
      #expect(try Detail.fetchCount(in: db) == 0)
    }
  }

  @Test
  func `if one table of a vertical split lacks a row, reads use defaults and updates add the row`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in _ = try Member.table.insertAndFetch(Member(nickname: "cleo"), in: db)
    }

    let cleo = Person(id: 1, nickname: "cleo", biography: nil, city: "unknown")
    #expect(try database.read { db in try Person.split.fetchAll(in: db) } == [cleo])

    try database.write { db in
      try #expect(Person.split.update(cleo, in: db) == 1)
      try #expect(Detail.fetchCount(in: db) == 1)
    }
  }

  @Test
  func `an insert that one table of a vertical split rejects stores nothing in the other table`()
    throws
  {
    struct Refusal: Error {}
    struct Half: TableRecord {
      var id: Int64
      var biography: String?
      static let table = Table(
        "half", Half.init, Column("id", \.id).primaryKey(), Column("biography", \.biography)
      ).checking { _ in throw Refusal() }
    }
    struct Whole {
      var id: Int64?
      var nickname: String?
      var biography: String?
    }
    let split = VerticalSplit(
      Table(
        "whole", Whole.init, Column("id", \.id).primaryKey(), Column("nickname", \.nickname),
        Column("biography", \.biography)), of: Member.table, Half.table)

    let database = try Database.inMemory()

    try database.write { db in
      #expect(throws: RecordRejectedError<Half>.self) {
        try split.insert(Whole(id: nil, nickname: "a", biography: "b"), in: db)
      }
      try #expect(Member.fetchCount(in: db) == 0)
      try #expect(split.fetchCount(in: db) == 0)
    }
  }
}
