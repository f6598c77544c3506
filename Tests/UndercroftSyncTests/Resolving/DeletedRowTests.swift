import Testing
import UndercroftCore
import UndercroftSync

/// Tests of deletions, and of operations on missing or deleted rows.
@Suite struct DeletedRowTests {
  private static let update = OperationChange.update(
    ["title": .text("Ann's")], increments: ["loans": 1])

  private static let insertion = OperationChange.insert(
    ["title": .text("Emma"), "note": .null], counters: ["loans": 4])

  /// Returns a desk whose row the replica "bob" has deleted after it had seen all changes of "ann".
  private func deskWithDeletedRow(_ policy: TablePolicy = TablePolicy()) -> Desk {
    var desk = Desk.withConcurrentTitle(policy)
    desk.receive(.delete, from: "bob", minute: 5)
    return desk
  }

  @Test func `an insertion creates a missing row with the inserted values and counters`() {
    var desk = Desk()

    let resolution = desk.receive(Self.insertion, from: "ann")

    #expect(resolution.version == 1)
    #expect(
      desk.row?.fields == ["title": .text("Emma"), "note": .null, "loans": .integer(4)])
    #expect(desk.row?.writes["title"]?.version == 1)
    #expect(desk.row?.writer == "ann")
  }

  @Test
  func `an insertion or increment is refused if it may repeat an operation that the server purged`()
    throws
  {
    var desk = Desk()
    desk.floor = 10

    let resolution = desk.receive(
      Self.insertion, from: "ann", knowing: AuthorKnowledge(baseCursor: 9))
    let applied = desk.receive(
      Self.insertion, from: "ann", knowing: AuthorKnowledge(baseCursor: 10))
    let increment = desk.receive(
      Self.update, from: "ann", knowing: AuthorKnowledge(base: 1, seen: 1, baseCursor: 9))
    let update = desk.receive(
      .update(["title": .text("Ann's")]), from: "ann",
      knowing: AuthorKnowledge(base: 1, seen: 1, baseCursor: 9))

    #expect(resolution.status == .stale)
    #expect(applied.status == .applied)
    #expect(increment.status == .stale)
    #expect(update.status == .applied)
    let conflict = try #require(increment.conflicts.first)
    #expect(conflict.kind == .stale)
    #expect(conflict.values["title"]?.value == .text("Ann's"))
    #expect(conflict.increments == ["loans": 1])
  }

  @Test func `the values of a change of a row that no longer exists are stored only in a conflict`()
  {
    var desk = Desk()

    let update = desk.receive(Self.update, from: "ann")
    let insertion = desk.receive(
      Self.insertion, from: "ann", knowing: AuthorKnowledge(base: 1, seen: 1, baseCursor: 1))

    #expect(update.status == .lost)
    #expect(update.conflicts.map(\.kind) == [.updateOfMissingRow])
    #expect(update.conflicts.first?.increments == ["loans": 1])
    #expect(insertion.status == .lost)
    #expect(insertion.conflicts.map(\.kind) == [.insertOfMissingRow])
    #expect(desk.row == nil)
  }

  @Test func `a deletion of a missing or deleted row has no effect`() {
    var empty = Desk()
    var deleted = deskWithDeletedRow()

    #expect(empty.receive(.delete, from: "ann") == Resolution(status: .applied))
    #expect(deleted.receive(.delete, from: "ann") == Resolution(status: .applied))
  }

  @Test func `a deletion leaves a tombstone that retains the values of the row`() {
    let desk = deskWithDeletedRow()

    #expect(desk.row?.isDeleted == true)
    #expect(desk.row?.version == 3)
    #expect(desk.row?.writer == "bob")
    #expect(desk.row?.fields["title"] == .text("Bob's"))
  }

  @Test
  func `if a deletion wins over a concurrent change, a conflict stores the values of that change`()
    throws
  {
    var desk = Desk.withConcurrentTitle()

    let resolution = desk.receive(.delete, from: "ann", minute: 1, knowing: Desk.insertion)

    #expect(desk.row?.isDeleted == true)
    let conflict = try #require(resolution.conflicts.first)
    #expect(conflict.kind == .deletionWon)
    #expect(conflict.values.mapValues(\.value) == ["title": .text("Bob's")])
    #expect(conflict.values["title"]?.author.replica == "bob")
  }

  @Test
  func
    `an unseen change of a counter does not prevent a deletion, and a conflict stores the counter`()
  {
    var desk = Desk(TablePolicy(deletion: .updateWins))
    desk.receive(Self.insertion, from: "ann")
    desk.receive(.update([:], increments: ["loans": 2]), from: "bob")
    desk.receive(.update([:], increments: ["loans": 1]), from: "ann", knowing: Desk.insertion)

    let resolution = desk.receive(.delete, from: "ann", knowing: Desk.insertion)

    #expect(desk.row?.isDeleted == true)
    #expect(resolution.conflicts.map(\.kind) == [.deletionWon])
    #expect(resolution.conflicts.first?.values["loans"]?.value == .integer(7))
    #expect(resolution.conflicts.first?.values["loans"]?.author.replica == "bob")
  }

  @Test(arguments: [
    (TablePolicy(deletion: .updateWins), "update_wins"), (TablePolicy(.serverWins), "server_wins"),
  ])
  func `with the policy updateWins or serverWins, a deletion loses against a concurrent change`(
    policy: TablePolicy, name: String
  ) {
    var desk = Desk.withConcurrentTitle(policy)
    let before = desk.row

    let resolution = desk.receive(.delete, from: "ann", minute: 5, knowing: Desk.insertion)

    #expect(resolution.status == .lost)
    #expect(resolution.conflicts.map(\.kind) == [.deletionLost])
    #expect(resolution.conflicts.first?.policy == name)
    #expect(desk.row == before)
    #expect(desk.receive(.delete, from: "ann").status == .applied)
  }

  @Test func `if the conflict policy is ask, a conflicting deletion waits for the user's decision`()
  {
    var desk = Desk.withConcurrentTitle(TablePolicy(.ask))

    let resolution = desk.receive(.delete, from: "ann", knowing: Desk.insertion)

    #expect(resolution.status == .parked)
    #expect(resolution.conflicts.map(\.kind) == [.open])
    #expect(desk.row?.isDeleted == false)
  }

  @Test(arguments: [update, insertion])
  func `by default, a deletion wins against a change whose author had not seen the deletion`(
    change: OperationChange
  ) throws {
    var desk = deskWithDeletedRow()

    let resolution = desk.receive(change, from: "ann", minute: 9, knowing: Desk.insertion)

    #expect(desk.row?.isDeleted == true)
    #expect(resolution.status == .lost)
    let conflict = try #require(resolution.conflicts.first)
    #expect(conflict.kind == .changeOfDeletedRow)
    #expect(conflict.values["title"]?.value == change.values["title"])
    #expect(conflict.rowAuthor?.replica == "bob")
  }

  @Test
  func `if the deletion policy is ask, a change of a deleted row waits for the user's decision`() {
    var desk = deskWithDeletedRow(TablePolicy(deletion: .ask))

    let resolution = desk.receive(Self.update, from: "ann", knowing: Desk.insertion)

    #expect(resolution.status == .parked)
    #expect(resolution.conflicts.first?.increments == ["loans": 1])
  }

  @Test func `with the deletion policy updateWins, an update restores a deleted row`() {
    var desk = deskWithDeletedRow(TablePolicy(deletion: .updateWins))

    let resolution = desk.receive(Self.update, from: "ann", minute: 1, knowing: Desk.insertion)

    #expect(resolution.status == .applied)
    #expect(resolution.conflicts.map(\.kind) == [.operationValuesLost, .rowRestored])
    #expect(desk.row?.isDeleted == false)
    #expect(desk.row?.version == 4)
    #expect(desk.row?.fields["title"] == .text("Bob's"))
    #expect(desk.row?.fields["loans"] == .integer(2))
  }

  @Test
  func
    `with the deletion policy updateWins, an insertion restores a row with the inserted counters`()
  {
    var desk = deskWithDeletedRow(TablePolicy(deletion: .updateWins))

    desk.receive(Self.insertion, from: "ann", minute: 9, knowing: Desk.insertion)

    #expect(desk.row?.isDeleted == false)
    #expect(desk.row?.fields["title"] == .text("Emma"))
    #expect(desk.row?.fields["loans"] == .integer(4))
  }

  @Test func `an old insertion does not restore a deleted row that the insertion may have created`()
  {
    var desk = deskWithDeletedRow(TablePolicy(deletion: .updateWins))
    desk.floor = 2

    let resolution = desk.receive(Self.insertion, from: "ann", knowing: AuthorKnowledge())

    #expect(resolution.status == .stale)
    #expect(desk.row?.isDeleted == true)
  }

  private static let knowing: [(ReplicaIdentifier, AuthorKnowledge)] = [
    ("ann", AuthorKnowledge(base: 0, seen: 0, baseCursor: 3)),
    ("ann", AuthorKnowledge(base: 3, seen: 3, baseCursor: 0)), ("bob", AuthorKnowledge()),
  ]

  @Test(arguments: knowing)
  func `an insertion creates a deleted row again if the insertion's author had seen the deletion`(
    replica: ReplicaIdentifier, knowledge: AuthorKnowledge
  ) {
    var desk = deskWithDeletedRow()

    let resolution = desk.receive(Self.insertion, from: replica, minute: 1, knowing: knowledge)

    #expect(resolution.conflicts == [])
    #expect(resolution.version == 4)
    #expect(
      desk.row?.fields == ["title": .text("Emma"), "note": .null, "loans": .integer(4)])
    #expect(
      desk.row?.hybridTimestamp == HybridTimestamp(milliseconds: Desk.now - 3_300_000))
  }

  @Test
  func
    `an insertion that overwrites an unseen value, even of its own replica, causes a conflict`()
    throws
  {
    var desk = deskWithDeletedRow()
    desk.receive(Self.insertion, from: "bob", minute: 10)
    desk.receive(
      .update(["title": .text("Ann's")]), from: "ann", minute: 11,
      knowing: AuthorKnowledge(base: 1, seen: 1, baseCursor: 1))
    let deletion = AuthorKnowledge(base: 3, seen: 3, baseCursor: 3)

    let resolution = desk.receive(
      .insert(["title": .null, "note": .null]), from: "ann", minute: 12, knowing: deletion)

    #expect(desk.row?.fields["title"] == .null)
    #expect(resolution.conflicts.map(\.kind) == [.rowValuesLost])
    let conflict = try #require(resolution.conflicts.first)
    #expect(conflict.values["title"]?.value == .text("Ann's"))
    #expect(conflict.values["title"]?.author.replica == "ann")
    #expect(conflict.policy == nil)
  }
}
