import BehaviourTrait
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct VirtualRecordTests {
  typealias Member = Membership.Member
  typealias Detail = Membership.Detail

  private func filled() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      _ = try Member.table.insert(Member(nickname: "ada", avatar: "owl", token: "t-1"), in: db)
      _ = try Member.table.insert(Member(nickname: "bob", token: "t-2"), in: db)
      _ = try Detail.table.insert(Detail(memberID: 1, biography: "wrote", city: "London"), in: db)
    }
    return database
  }

  @Test
  func `values(for:) returns a record's values for the columns that the given table also has`()
    throws
  {
    let member = Member(id: 7, nickname: "ada", avatar: "owl", token: nil)
    let all: ColumnValues = [
      "id": .integer(7), "nickname": .text("ada"), "avatar": .text("owl"), "token": .null,
    ]

    #expect(try member.columnValues() == all)
    #expect(try member.values(for: Member.table.definition) == all)
    #expect(try member.values(for: Member.table.named("old_member").definition) == all)
    #expect(try member.values(for: Author.table.definition) == ["id": .integer(7)])

    var taken = Member(nickname: "kept")

    try taken.assign(["id": .integer(7), "shoe": .integer(42)], from: Member.table.definition)

    #expect(taken == Member(id: 7, nickname: "kept"))
  }

  @Test
  func `a Codable virtual record reads and writes the columns whose names equal its coding keys`()
    throws
  {
    struct Card: Codable, VirtualRecord, Equatable {
      var memberID: Int64 = 0
      var city: String?
      var shelves: [String] = ["a"]
      enum CodingKeys: String, CodingKey {
        case memberID = "member_id"
        case city, shelves
      }
    }
    let card = Card(memberID: 7)

    try #expect(
      card.values(for: Detail.table.definition) == ["member_id": .integer(7), "city": .null])

    var taken = card
    try taken.assign(["city": .text("Basel"), "biography": .text("…")])

    #expect(taken == Card(memberID: 7, city: "Basel"))
  }

  @Test func `one row can be read into virtual records of different types`() throws {
    let database = try filled()
    try database.read { db in
      let portraits = try Member.order { $0.id }
        .fetchAll(filling: { Membership.Portrait() }, in: db)
      #expect(portraits.map(\.nickname) == ["ada", "bob"])
      #expect(portraits.map(\.avatar) == ["owl", nil])

      let badge = try Member.where { $0.id == 2 }.fetchOne(
        filling: { Membership.Badge(nickname: "nobody") }, in: db)
      #expect(badge?.nickname == "bob" && badge?.token == "t-2")

      let none = try Member.where { $0.id == 3 }.fetchOne(
        filling: { Membership.Badge() }, in: db)
      #expect(none == nil)

      let credentials = try Member.fetchAll(
        filling: { Membership.Credential() }, in: db)
      #expect(credentials.map(\.id) == [1, 2])
    }
  }

  @Test(.behaviour("A-CT-R06"))
  func `a mapped record is written to and read from two tables`() throws {
    let database = try filled()
    let view = Membership.ProfileView()
    (view.title, view.about, view.place) = ("cleo", "reads", "Basel")
    try database.write { db in
      view.memberID = try Member.insert(from: view, returning: \.id, in: db)
      try Detail.insert(from: view, in: db)
    }
    try database.read { db in
      // Each table stores only its own columns.
      try #expect(Member.find(3 as Int64, in: db) == Member(id: 3, nickname: "cleo"))
      try #expect(
        Detail.find(3 as Int64, in: db)
          == Detail(memberID: 3, biography: "reads", city: "Basel"))

      let read = Membership.ProfileView()
      try #expect(read.assign(from: Member.table, key: 3 as Int64, in: db))
      #expect(read.title == "cleo" && read.place == "")

      try #expect(read.assign(from: Detail.where { $0.city == "Basel" }, in: db))
      #expect(read.about == "reads" && read.place == "Basel" && read.memberID == 3)

      try #expect(read.assign(from: Member.table, key: 99 as Int64, in: db) == false)
      #expect(read.title == "cleo")
    }
  }

  @Test @MainActor func `a virtual record isolated to the main actor can be read and merged`()
    throws
  {
    let database = try filled()
    let screen = Membership.Screen()

    try database.read { db in
      try screen.assign(from: Member.table, key: 1 as Int64, in: db)
      try screen.assign(from: Detail.table, key: 1 as Int64, in: db)
    }

    #expect(screen.nickname == "ada" && screen.city == "London")
    screen.nickname = "countess"
    let member = try Member(id: 1, token: "t-1").merging(screen)

    #expect(member == Member(id: 1, nickname: "countess", token: "t-1"))
  }

  @Test func `using a mapped property without a column throws an error that names the property`()
    throws
  {
    final class View: MappedRecord {
      var title: String?
      var shown: String { "…" }
      static var mapping: RecordMapping<View> {
        RecordMapping(.part(of: Keyless.table, MappedField(\.title, as: \.computed)))
      }
    }
    struct Keyless: TableRecord {
      var name: String
      var computed: String? { name }
      static let table = Table("keyless", Keyless.init, Column("name", \.name))
    }

    let error = #expect(throws: StorageError.self) {
      try View().values(for: Keyless.table.definition)
    }
    #expect(error?.code == .misuse && error?.message.contains("computed") == true)
  }

  @Test func `changing a record after reading it does not change the database`() throws {
    let database = try filled()
    var member = try #require(try database.read { db in try Member.find(1 as Int64, in: db) })
    let badge = Membership.Badge()
    try database.read { db in _ = try badge.assign(from: Member.table, key: 1 as Int64, in: db) }
    member.nickname = "changed"
    badge.nickname = "changed"
    try database.write { db in _ = try Member.table.insertAndFetch(Member(nickname: "cleo"), in: db)
    }
    let names = try database.read { db in
      try Member.order { $0.id }.fetchAll(in: db).map(\.nickname)
    }

    #expect(names == ["ada", "bob", "cleo"])
  }

  @Test func `a Codable virtual record matches columns regardless of the case of its coding keys`()
    throws
  {
    struct Card: Codable, VirtualRecord {
      enum CodingKeys: String, CodingKey {
        case id = "ID"
        case nickname = "NickName"
      }
      var id: Int64?
      var nickname: String
    }
    try filled().write { db in
      var card = Card(nickname: "cleo")

      try Member.table.insert(from: &card, in: db)

      #expect(card.id == 3)
      try #expect(Member.find(3 as Int64, in: db)?.nickname == "cleo")
      try card.assign(from: Member.table, key: 1 as Int64, in: db)
      #expect(card.nickname == "ada")
    }
  }
}
