import Testing
import UndercroftCore
import UndercroftSync

/// Tests of operations that arrive a second time, from another replica or merged into another
/// operation.
@Suite struct RepeatedOperationTests {
  private let server = SyncServer(
    store: InMemorySyncStore(), environment: TestClock().environment)

  @Test func `operations repeated under a new replica identifier are not applied again`()
    throws
  {
    var ann = try Device("ann", on: server)
    let operations = [
      ann.operation(.insert([:], counters: ["loans": 1])),
      ann.operation(.update([:], increments: ["loans": 4]), offset: 1),
    ]
    _ = try ann.push(ann.seal(operations))
    var again = try Device("ann2", account: "ann", on: server)

    let answer = try again.push(
      again.seal(
        operations + [again.operation(.update([:], increments: ["loans": 8]), offset: 2)]))

    #expect(answer.results?.results.map(\.operationIdentifier) == ["ann-1", "ann-2", "ann2-3"])
    #expect(answer.results?.results.map(\.sequence) == [1, 2, 3])
    #expect(answer.results?.results.map(\.version) == [1, 2, 3])
    #expect(try ann.rows == ["b1": ["loans": .integer(13)]])
  }

  @Test func `the server returns the original result for a repeated operation`() throws {
    var (ann, bob) = (try Device("ann", on: server), try Device("bob", on: server))
    let update = ann.operation(.update(.title("Dune")))
    let first = try ann.push(ann.seal([update])).results?.results.first

    let second = try bob.push(bob.seal([update])).results?.results.first

    #expect(first?.status == .lost)
    #expect(first == second)
    #expect(first?.conflicts.count == 1)
  }

  @Test
  func `repeating an operation is refused as a fork if another replica has repeated it before`()
    throws
  {
    var ann = try Device("ann", on: server)
    let start = ann
    let insert = ann.operation(.insert(.title("Dune")))
    _ = try ann.push(ann.seal([insert]))
    var again = try Device("ann2", account: "ann", on: server)
    _ = try again.push(again.seal([insert]))

    #expect(try start.push(start.packet([insert])) == .refused(.forked))
  }

  @Test
  func `an increment already applied is not added again by a merged operation that contains it`()
    throws
  {
    var (ann, copy) = (try Device("ann", on: server), try Device("copy", on: server))
    try ann.send(.insert([:], counters: ["loans": 0]))
    try copy.send(.update([:], increments: ["loans": 2]), "early")
    var update = ann.operation(.update([:], increments: ["loans": 7]))
    update.absorbed = [AbsorbedOperation("early", increments: ["loans": 2])]

    let answer = try ann.push(ann.seal([update]))

    #expect(answer.statuses == [.applied, .applied])
    #expect(try ann.rows == ["b1": ["loans": .integer(7)]])
  }

  @Test
  func `if a merged operation replaces several operations, only unapplied increments are added`()
    throws
  {
    var (ann, copy) = (try Device("ann", on: server), try Device("copy", on: server))
    try ann.send(.insert([:], counters: ["loans": 0]))
    var early = copy.operation(.update([:], increments: ["loans": 5]), "second")
    early.absorbed = [AbsorbedOperation("first", increments: ["loans": 2])]
    _ = try copy.push(copy.seal([early]))
    var update = ann.operation(.update([:], increments: ["loans": 7]))
    update.absorbed = [
      AbsorbedOperation("first", increments: ["loans": 2]),
      AbsorbedOperation("second", increments: ["loans": 5]),
      AbsorbedOperation("third", increments: ["loans": 6]),
    ]

    _ = try ann.push(ann.seal([update]))

    #expect(try ann.rows == ["b1": ["loans": .integer(7)]])
  }

  @Test func `a merged operation does not add increments that a conflict already contains`()
    throws
  {
    var (ann, copy) = (try Device("ann", on: server), try Device("copy", on: server))
    try copy.send(.update([:], increments: ["loans": 2]), "early")
    try ann.send(.insert([:], counters: ["loans": 0]))
    var update = ann.operation(.update([:], increments: ["loans": 7]))
    update.absorbed = [AbsorbedOperation("early", increments: ["loans": 2])]

    _ = try ann.push(ann.seal([update]))

    #expect(try ann.rows == ["b1": ["loans": .integer(5)]])
    #expect(try copy.conflicts.map(\.increments) == [["loans": 2]])
  }

  @Test func `conflicts of a lost operation and of its merged form share no increments`() throws {
    var (ann, copy) = (try Device("ann", on: server), try Device("copy", on: server))
    try copy.send(.update(.title("Dune"), increments: ["loans": 2]), "early")
    var update = ann.operation(.update(.title("Emma"), increments: ["loans": 7]))
    update.absorbed = [AbsorbedOperation("early", increments: ["loans": 2])]

    let answer = try ann.push(ann.seal([update]))

    #expect(answer.statuses == [.lost])
    #expect(try copy.conflicts.map(\.increments) == [["loans": 2]])
    #expect(try ann.conflicts.map(\.increments) == [["loans": 5]])
  }

  @Test func `an operation that arrives after its lost merged form adds no increments`() throws {
    var (ann, copy) = (try Device("ann", on: server), try Device("copy", on: server))
    var update = ann.operation(.update(.title("Emma"), increments: ["loans": 7]))
    update.absorbed = [AbsorbedOperation("early", increments: ["loans": 2])]
    _ = try ann.push(ann.seal([update]))

    let result = try copy.send(.update(.title("Dune"), increments: ["loans": 2]), "early")

    #expect(result?.status == .lost)
    #expect(try ann.conflicts.map(\.increments) == [["loans": 7]])
    let conflict = try #require(try copy.conflicts.first)
    #expect(conflict.values["title"]?.value == .text("Dune"))
    #expect(conflict.increments.isEmpty)
  }

  @Test
  func `values of an operation are applied if only the merged form that replaced it was rejected`()
    throws
  {
    let server = Self.serverRejectingEmma
    var (ann, copy) = (try Device("ann", on: server), try Device("copy", on: server))
    var insert = ann.operation(.insert(.title("Emma"), counters: ["loans": 7]))
    insert.absorbed = [AbsorbedOperation("early", increments: ["loans": 2])]
    let merged = try ann.push(ann.seal([insert]))

    let result = try copy.send(.insert(.title("Dune"), counters: ["loans": 2]), "early")

    #expect(merged.statuses == [.rejected])
    #expect(result?.status == .applied)
    #expect(try copy.rows == ["b1": ["title": .text("Dune"), "loans": .integer(0)]])
    #expect(try ann.conflicts.map(\.increments) == [["loans": 7]])
  }

  @Test func `a merged insertion creates a row without increments of a rejected earlier form`()
    throws
  {
    let server = Self.serverRejectingEmma
    var (ann, copy) = (try Device("ann", on: server), try Device("copy", on: server))
    try copy.send(.insert(.title("Emma"), counters: ["loans": 2]), "early")
    var insert = ann.operation(.insert(.title("Dune"), counters: ["loans": 7]))
    insert.absorbed = [AbsorbedOperation("early", increments: ["loans": 2])]

    let answer = try ann.push(ann.seal([insert]))

    #expect(answer.statuses == [.applied])
    #expect(try ann.rows == ["b1": ["title": .text("Dune"), "loans": .integer(5)]])
    #expect(try copy.conflicts.map(\.increments) == [["loans": 2]])
  }

  @Test func `an operation is applied in full if its merged form was too large to be stored`()
    throws
  {
    var (ann, copy) = (try Device("ann", on: server), try Device("copy", on: server))
    try ann.send(.insert([:], counters: ["loans": 0]))
    let large = String(repeating: "x", count: SyncLimits.rowBytes + (2 << 20))
    var update = ann.operation(.update(.title(large), increments: ["loans": 7]))
    update.absorbed = [AbsorbedOperation("early", increments: ["loans": 2])]
    let merged = try ann.push(ann.seal([update]))

    try copy.send(.update([:], increments: ["loans": 2]), "early")

    #expect(merged.statuses?.last == .rejected)
    #expect(try copy.rows == ["b1": ["loans": .integer(2)]])
  }

  private static var serverRejectingEmma: SyncServer {
    SyncServer(
      store: InMemorySyncStore(),
      validate: { change in
        guard change.values["title"] == .text("Emma") else { return nil }
        return OperationRejection(code: "title", message: "the library has this book")
      }, environment: TestClock().environment)
  }

  @Test func `an operation that arrives after the merged operation that replaced it has no effect`()
    throws
  {
    var (ann, copy) = (try Device("ann", on: server), try Device("copy", on: server))
    var insert = ann.operation(.insert([:], counters: ["loans": 7]))
    insert.absorbed = [AbsorbedOperation("early", increments: ["loans": 2])]
    _ = try ann.push(ann.seal([insert]))

    let result = try copy.send(.insert([:], counters: ["loans": 2]), "early")

    #expect(result?.status == .absorbed)
    #expect(result?.version == 1)
    #expect(try ann.rows == ["b1": ["loans": .integer(7)]])
  }

  @Test func `an update that arrives after the deletion that replaced it becomes a conflict`()
    throws
  {
    var (ann, copy) = (try Device("ann", on: server), try Device("copy", on: server))
    try ann.send(.insert(.title("Dune")))
    var deletion = ann.operation(.delete)
    deletion.absorbed = [AbsorbedOperation("early")]
    _ = try ann.push(ann.seal([deletion]))

    let result = try copy.send(
      .update(.title("Emma")), "early", knowing: AuthorKnowledge(base: 1, seen: 1, baseCursor: 1))

    #expect(result?.status == .lost)
    #expect(result?.conflicts.count == 1)
  }
}
