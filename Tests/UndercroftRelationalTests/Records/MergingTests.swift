import BehaviourTrait
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct MergingTests {
  typealias Member = Membership.Member
  typealias Portrait = Membership.Portrait
  typealias Credential = Membership.Credential

  let full = Member(id: 7, nickname: "ada", avatar: "owl", token: "t-1")
  let empty = Member()

  @Test(.behaviour("A-CT-R01"))
  func `merging a record into an empty record copies all values`() throws {
    #expect(try empty.merging(full) == full)
    #expect(try empty.merging(full, overriding: true) == full)
    #expect(try Portrait().merging(full) == Portrait(nickname: "ada", avatar: "owl"))
  }

  @Test(.behaviour("A-CT-R02"))
  func `merging a record without overriding retains the values that the target already has`() throws
  {
    let other = Member(id: 8, nickname: "bob", avatar: "cat", token: "t-2")
    #expect(try full.merging(other, overriding: false) == full)
  }

  @Test(.behaviour("A-CT-R03"))
  func `merging with overriding sets a value to nil if the merged record's value is nil`() throws {
    #expect(try full.merging(empty) == empty)
    #expect(
      try Portrait(nickname: "ada", avatar: "owl").merging(Portrait(avatar: "cat"))
        == Portrait(avatar: "cat"))
  }

  @Test(.behaviour("A-CT-R04"))
  func `merging without overriding fills the missing values in a copy and changes neither operand`()
    throws
  {
    let (one, other) = (Member(id: 7, nickname: "ada"), Member(nickname: "bob", token: "t-2"))
    let union = Member(id: 7, nickname: "ada", token: "t-2")
    #expect(try one.merging(other, overriding: false) == union)
    #expect(one == Member(id: 7, nickname: "ada"))
    #expect(other == Member(nickname: "bob", token: "t-2"))
    // The reversed merge differs only in the name that both records have.
    let reversed = try other.merging(one, overriding: false)
    #expect(reversed == Member(id: 7, nickname: "bob", token: "t-2"))

    let badge = Membership.Badge(nickname: "ada")
    _ = try empty.merging(badge)
    #expect(badge.nickname == "ada" && badge.token == nil)
  }

  @Test(.behaviour("A-CT-R05"))
  func `merging records of different types copies the columns that both records have`() throws {
    let portrait = Portrait(nickname: "bob", avatar: nil)
    let credential = Credential(id: 9, token: "t-9")
    // The records are merged from left to right, so the last record with a column determines its
    // value.
    let merged = try full.merging(portrait).merging(credential)
    #expect(merged == Member(id: 9, nickname: "bob", avatar: nil, token: "t-9"))
    let other = try full.merging(portrait).merging(full).merging(portrait, overriding: false)
    #expect(other == full)
    // Columns that only one record has are unchanged.

    #expect(try portrait.merging(credential) == portrait)
    #expect(try credential.merging(full) == Credential(id: 7, token: "t-1"))

    let folded = try [portrait, Portrait(nickname: "cleo", avatar: "fox")]
      .reduce(full) { try $0.merging($1) }
    #expect(folded == Member(id: 7, nickname: "cleo", avatar: "fox", token: "t-1"))
  }

  @Test(.behaviour("A-CT-R05"))
  func `merging into an object changes the object and returns it`() throws {
    let badge = Membership.Badge()
    let merged = try badge.merge(full).merge(Portrait(nickname: "bob"))
    #expect(merged === badge)
    #expect(badge.nickname == "bob" && badge.token == "t-1")
    try badge.merge(Portrait(nickname: "cleo"), overriding: false)
    #expect(badge.nickname == "bob")
  }

  @Test func `merging into a struct changes the struct in place`() throws {
    var member = full
    try member.merge(Portrait(nickname: "bob"), overriding: false)
    #expect(member == full)
    try member.merge(Portrait(nickname: "bob"))
    #expect(member == Member(id: 7, nickname: "bob", avatar: nil, token: "t-1"))
  }

  @Test
  func `merging values of one table into a mapped record uses the column names of that table`()
    throws
  {
    let view = Membership.ProfileView()
    try view.merge(full)
    #expect(view.memberID == 7 && view.title == "ada")
    let detail: ColumnValues = ["member_id": .integer(7), "city": .text("Basel")]
    try view.merge(detail, in: Membership.Detail.table)
    #expect(view.place == "Basel" && view.title == "ada" && view.about == nil)
    #expect(try empty.merging(view) == Member(id: 7, nickname: "ada"))
  }

  @Test func `merging NULL into a property that is not optional throws and names the column`()
    throws
  {
    let view = Membership.ProfileView()

    view.title = "kept"
    let error = #expect(throws: StorageError.self) { try view.merge(empty) }
    #expect(error?.code == .decodingFailed)
    #expect(error?.message.contains("nickname") == true)
    #expect(view.title == "kept")

    try view.merge(empty, overriding: false)
    #expect(view.title == "kept")
  }

  @Test func `merged ColumnValues contain the columns of both operands`() {
    let one: ColumnValues = ["a": .integer(1), "b": .null, "c": .text("x")]
    let other: ColumnValues = ["a": .null, "b": .integer(2), "d": .integer(4)]

    #expect(
      one.merging(other) == [
        "a": .null, "b": .integer(2), "c": .text("x"), "d": .integer(4),
      ])
    #expect(
      one.merging(other, overriding: false) == [
        "a": .integer(1), "b": .integer(2), "c": .text("x"), "d": .integer(4),
      ])
  }
}
