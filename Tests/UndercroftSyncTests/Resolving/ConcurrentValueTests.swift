import Testing
import UndercroftCore
import UndercroftSync

/// Tests of operations on a row of which another replica has changed a column concurrently.
@Suite struct ConcurrentValueTests {
  private static let annsTitle = OperationChange.update(["title": .text("Ann's")])

  @Test func `an update causes no conflict if its author had seen all earlier changes`() {
    var desk = Desk.withConcurrentTitle()

    let resolution = desk.receive(Self.annsTitle, from: "ann", minute: 1)

    #expect(resolution.status == .applied)
    #expect(resolution.version == 3)
    #expect(resolution.conflicts == [])
    #expect(desk.row?.fields["title"] == .text("Ann's"))
  }

  @Test func `concurrent changes of different columns are merged`() {
    var desk = Desk.withConcurrentTitle()

    let resolution = desk.receive(
      .update(["note": .text("torn")]), from: "ann", minute: 1, knowing: Desk.insertion)

    #expect(resolution.conflicts == [])
    #expect(
      desk.row?.fields == ["title": .text("Bob's"), "note": .text("torn"), "loans": .integer(1)])
  }

  @Test
  func `by default, the later change of a column wins, and a conflict stores the earlier value`()
    throws
  {
    var desk = Desk.withConcurrentTitle(minute: 2)

    let resolution = desk.receive(Self.annsTitle, from: "ann", minute: 3, knowing: Desk.insertion)

    #expect(desk.row?.fields["title"] == .text("Ann's"))
    #expect(resolution.conflicts.map(\.kind) == [.rowValuesLost])
    let conflict = try #require(resolution.conflicts.first)
    #expect(conflict.policy == "lww_field")
    #expect(conflict.values["title"]?.value == .text("Bob's"))
    #expect(conflict.values["title"]?.author.replica == "bob")
    #expect(conflict.operationAuthor.replica == "ann")
    #expect(conflict.rowAuthor?.replica == "bob")
    #expect(conflict.version == 2)
    #expect(conflict.table == "book")
    #expect(conflict.dataIdentifier == "b1")
  }

  @Test func `an earlier change of a column loses, and a conflict stores the value of that change`()
    throws
  {
    var desk = Desk.withConcurrentTitle(minute: 2)

    let resolution = desk.receive(
      .update(["title": .text("Ann's"), "note": .text("torn")]), from: "ann", minute: 1,
      knowing: Desk.insertion)

    #expect(desk.row?.fields["title"] == .text("Bob's"))
    #expect(desk.row?.fields["note"] == .text("torn"))
    #expect(resolution.status == .applied)
    #expect(resolution.lostColumns == ["title"])
    let conflict = try #require(resolution.conflicts.first)
    #expect(conflict.kind == .operationValuesLost)
    #expect(conflict.values["title"]?.value == .text("Ann's"))
    #expect(conflict.values["title"]?.author.replica == "ann")
    #expect(
      conflict.values["title"]?.author.hybridTimestamp
        == HybridTimestamp(milliseconds: Desk.now - 3_540_000))
  }

  @Test func `an update whose values all lose changes nothing`() {
    var desk = Desk.withConcurrentTitle(minute: 2)
    let before = desk.row

    let resolution = desk.receive(Self.annsTitle, from: "ann", minute: 1, knowing: Desk.insertion)

    #expect(resolution.version == 0)
    #expect(resolution.record == nil)
    #expect(desk.row == before)
  }

  @Test
  func `the change of the replica with the greater identifier wins if the timestamps are equal`() {
    var winning = Desk.withConcurrentTitle(minute: 2)
    winning.receive(
      .update(["title": .text("Zoe's")]), from: "zoe", minute: 2, knowing: Desk.insertion)
    var losing = Desk.withConcurrentTitle(minute: 2)
    losing.receive(Self.annsTitle, from: "ann", minute: 2, knowing: Desk.insertion)

    #expect(winning.row?.fields["title"] == .text("Zoe's"))
    #expect(losing.row?.fields["title"] == .text("Bob's"))
  }

  @Test func `two concurrent changes that set a column to the same value cause no conflict`() {
    var desk = Desk.withConcurrentTitle()

    let resolution = desk.receive(
      .update(["title": .text("Bob's")]), from: "ann", minute: 1, knowing: Desk.insertion)

    #expect(resolution.conflicts == [])
    #expect(resolution.version == 3)
  }

  @Test func `an update causes no conflict with earlier operations of its own replica`() {
    var desk = Desk()
    desk.receive(.insert(["title": .text("Dune")]), from: "ann", minute: 2)

    let resolution = desk.receive(
      Self.annsTitle, from: "ann", minute: 1, knowing: AuthorKnowledge())

    #expect(resolution.conflicts == [])
    #expect(desk.row?.fields["title"] == .text("Ann's"))
  }

  @Test
  func `an update conflicts with a pulled value that a local change hid from the update's author`()
  {
    var knowledge = AuthorKnowledge(base: 1, seen: 2, baseCursor: 2)
    var desk = Desk.withConcurrentTitle(minute: 2)
    let seen = desk.receive(Self.annsTitle, from: "ann", minute: 3, knowing: knowledge)
    knowledge.hidden = ["title"]
    desk = Desk.withConcurrentTitle(minute: 2)
    let hidden = desk.receive(Self.annsTitle, from: "ann", minute: 3, knowing: knowledge)

    #expect(seen.conflicts == [])
    #expect(hidden.conflicts.map(\.kind) == [.rowValuesLost])
  }

  @Test
  func `a timestamp years ahead of the server's clock is limited to the maximum permitted drift`()
    throws
  {
    let desk = Desk.withConcurrentTitle()
    let operation = desk.operation(Self.annsTitle, minute: 52_560_000, knowing: Desk.insertion)

    let resolution = desk.resolver("ann").resolve(operation, on: desk.row, version: 3)
    let record = try #require(resolution.record)

    let latest = HybridTimestamp(milliseconds: Desk.now + 60_000)
    #expect(record.hybridTimestamp == latest)
    #expect(record.writes["title"]?.author.hybridTimestamp == latest)
  }

  @Test func `a change never gets an earlier timestamp than a change that its author had seen`() {
    var desk = Desk.withConcurrentTitle(minute: 50)

    desk.receive(Self.annsTitle, from: "ann", minute: 1)

    let time = HybridTimestamp(milliseconds: Desk.now - 600_000)
    #expect(desk.row?.writes["title"]?.author.hybridTimestamp == time)
    #expect(desk.row?.hybridTimestamp == time)
  }

  @Test func `concurrent increments of a counter are added without a conflict`() {
    var desk = Desk.withConcurrentTitle()

    let first = desk.receive(
      .update([:], increments: ["loans": 5]), from: "bob", knowing: Desk.insertion)
    let second = desk.receive(
      .update([:], increments: ["loans": -2]), from: "ann", knowing: Desk.insertion)

    #expect(first.conflicts + second.conflicts == [])
    #expect(desk.row?.fields["loans"] == .integer(4))
  }

  @Test func `an update that changes no value creates no new version of the row`() {
    var desk = Desk.withConcurrentTitle()

    let resolution = desk.receive(.update([:], increments: ["loans": 0]), from: "ann")

    #expect(resolution.status == .applied)
    #expect(resolution.version == 0)
    #expect(resolution.record == nil)
  }

  @Test func `insertions of the same row by two replicas are merged`() {
    var desk = Desk.withConcurrentTitle(minute: 2)

    let resolution = desk.receive(
      .insert(["title": .text("Ann's"), "note": .text("torn")], counters: ["loans": 2]),
      from: "zoe", minute: 3, knowing: AuthorKnowledge())

    #expect(resolution.conflicts.map(\.kind) == [.rowValuesLost])
    #expect(
      desk.row?.fields == ["title": .text("Ann's"), "note": .text("torn"), "loans": .integer(3)])
  }

  @Test func `an update with the value NaN sets the column to NULL`() {
    var desk = Desk.withConcurrentTitle()

    desk.receive(.update(["note": .real(.nan)]), from: "ann")

    #expect(desk.row?.fields["note"] == .null)
  }
}
