import Testing
import UndercroftCore
import UndercroftSync

@Suite struct ConflictPolicyTests {
  private static let both = OperationChange.update([
    "title": .text("Ann's"), "note": .text("torn"),
  ])

  @Test
  func `with the policy serverWins, the row's conflicting values win over the operation's values`()
  {
    var desk = Desk.withConcurrentTitle(TablePolicy(.serverWins), minute: 2)

    let resolution = desk.receive(Self.both, from: "ann", minute: 3, knowing: Desk.insertion)

    #expect(desk.row?.fields["title"] == .text("Bob's"))
    #expect(desk.row?.fields["note"] == .text("torn"))
    #expect(resolution.conflicts.map(\.kind) == [.operationValuesLost])
    #expect(resolution.conflicts.first?.policy == "server_wins")
  }

  @Test
  func `with the policy clientWins, the operation's conflicting values win over the row's values`()
  {
    var desk = Desk.withConcurrentTitle(TablePolicy(.clientWins), minute: 2)

    let resolution = desk.receive(Self.both, from: "ann", minute: 1, knowing: Desk.insertion)

    #expect(desk.row?.fields["title"] == .text("Ann's"))
    #expect(resolution.conflicts.map(\.kind) == [.rowValuesLost])
    #expect(resolution.conflicts.first?.values["title"]?.value == .text("Bob's"))
  }

  @Test
  func `with the policy lastWriterWinsRecord, the earlier of two operations loses all its values`()
  {
    var desk = Desk.withConcurrentTitle(TablePolicy(.lastWriterWinsRecord), minute: 2)

    let resolution = desk.receive(Self.both, from: "ann", minute: 1, knowing: Desk.insertion)

    #expect(desk.row?.fields["title"] == .text("Bob's"))
    #expect(desk.row?.fields["note"] == .null)
    #expect(resolution.lostColumns == ["note", "title"])
  }

  @Test func `with the policy lastWriterWinsRecord, all values of the later of two operations win`()
  {
    var desk = Desk.withConcurrentTitle(TablePolicy(.lastWriterWinsRecord), minute: 2)

    let resolution = desk.receive(Self.both, from: "ann", minute: 3, knowing: Desk.insertion)

    #expect(desk.row?.fields["title"] == .text("Ann's"))
    #expect(desk.row?.fields["note"] == .text("torn"))
    #expect(resolution.conflicts.map(\.kind) == [.rowValuesLost])
  }

  @Test func `the policy of a column takes precedence over the policy of the table`() {
    var desk = Desk.withConcurrentTitle(
      TablePolicy(.clientWins, columns: ["title": .serverWins]), minute: 2)

    let resolution = desk.receive(Self.both, from: "ann", minute: 3, knowing: Desk.insertion)

    #expect(desk.row?.fields["title"] == .text("Bob's"))
    #expect(resolution.conflicts.first?.policy == "server_wins")
  }

  @Test
  func `if a conflicting column has the policy ask, the whole operation waits for the user`()
    throws
  {
    var desk = Desk.withConcurrentTitle(TablePolicy(columns: ["title": .ask]))
    let before = desk.row

    let resolution = desk.receive(
      .update(["title": .text("Ann's"), "note": .text("torn")], increments: ["loans": 2]),
      from: "ann", minute: 3, knowing: Desk.insertion)

    #expect(resolution.status == .parked)
    #expect(resolution.version == 0)
    #expect(desk.row == before)
    let conflict = try #require(resolution.conflicts.first)
    #expect(conflict.kind == .open)
    #expect(conflict.policy == "ask")
    #expect(conflict.values.mapValues(\.value) == ["title": .text("Ann's"), "note": .text("torn")])
    #expect(conflict.increments == ["loans": 2])
    #expect(conflict.kind.concernsWholeOperation)
  }

  @Test func `a user's decision is applied if the user has seen both conflicting values`() {
    var desk = Desk.withConcurrentTitle(TablePolicy(.ask))
    desk.receive(Self.both, from: "ann", knowing: Desk.insertion)

    let answer = desk.receive(Self.both, from: "ann")

    #expect(answer.status == .applied)
    #expect(answer.conflicts == [])
    #expect(desk.row?.fields["title"] == .text("Ann's"))
  }

  @Test(arguments: [
    (SyncValue.text("Ann's"), [SyncConflict.Kind.rowValuesLost]),
    (.text("Bob's"), [.operationValuesLost]),
    (.text("Both"), [.operationValuesLost, .rowValuesLost]),
    (.real(.nan), [.operationValuesLost, .rowValuesLost]),
  ])
  func `a custom policy chooses a value, and conflicts store every value that was not chosen`(
    value: SyncValue, kinds: [SyncConflict.Kind]
  ) {
    let policy = ConflictPolicy.custom { conflict in
      let isExpected =
        conflict.table == "book" && conflict.column == "title" && conflict.dataIdentifier == "b1"
        && conflict.local.value == .text("Ann's") && conflict.local.author.replica == "ann"
        && conflict.remote.value == .text("Bob's") && conflict.remote.author.replica == "bob"
      return isExpected ? .value(value) : .ask
    }
    var desk = Desk.withConcurrentTitle(TablePolicy(policy))

    let resolution = desk.receive(
      .update(["title": .text("Ann's")], increments: ["loans": 1]), from: "ann",
      knowing: Desk.insertion)

    #expect(resolution.status == .applied)
    #expect(resolution.conflicts.map(\.kind) == kinds)
    #expect(
      desk.row?.fields["title"] == (value == .text("Both") || kinds.count == 1 ? value : .null))
    #expect(desk.row?.fields["loans"] == .integer(2))
  }

  @Test func `a custom policy can leave the decision to the user`() {
    var desk = Desk.withConcurrentTitle(TablePolicy(.custom { _ in .ask }))

    let resolution = desk.receive(Self.both, from: "ann", knowing: Desk.insertion)

    #expect(resolution.status == .parked)
    #expect(resolution.conflicts.first?.policy == "custom")
  }

  @Test func `resolving the same operation again produces conflicts with the same identifiers`() {
    let desk = Desk.withConcurrentTitle(TablePolicy(.custom { _ in .value(.text("Both")) }))
    let operation = desk.operation(Self.both, knowing: Desk.insertion)

    let first = desk.resolver("ann").resolve(operation, on: desk.row, version: 3)
    let second = desk.resolver("ann").resolve(operation, on: desk.row, version: 3)

    #expect(first == second)
    #expect(Set(first.conflicts.map(\.conflictIdentifier)).count == 2)
  }

  @Test
  func `values of an operation that the validator rejects are stored in a conflict, not in a row`()
    throws
  {
    let desk = Desk.withConcurrentTitle()
    let resolver = desk.resolver("ann") { operation, record in
      record == nil ? nil : OperationRejection(code: "reserved", message: "the book is reserved")
    }

    let resolution = resolver.resolve(desk.operation(Self.both), on: desk.row, version: 3)

    #expect(resolution.status == .rejected)
    #expect(resolution.record == nil)
    let conflict = try #require(resolution.conflicts.first)
    #expect(conflict.kind == .rejected)
    #expect(conflict.message == "the book is reserved")
    #expect(conflict.values.count == 2)
  }
}
