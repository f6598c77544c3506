import Testing
import UndercroftCore
import UndercroftSync

/// Tests of operations that answer a conflict.
@Suite struct AnsweredConflictTests {
  private let server: SyncServer
  private var ann: Device
  private var bob: Device
  private let seen = AuthorKnowledge(base: 1, seen: 1, baseCursor: 1)

  /// Creates a server with an open conflict, because the title of "ann" waits for the user's
  /// answer.
  init() throws {
    server = SyncServer(
      store: InMemorySyncStore(), policies: ["book": TablePolicy(.ask)],
      environment: TestClock().environment)
    ann = try Device("ann", on: server)
    bob = try Device("bob", on: server)
    try ann.send(.insert(.title("Dune")))
    try bob.send(.update(.title("Bob's")), knowing: seen)
    try ann.send(.update(.title("Ann's")), knowing: seen)
  }

  private var conflicts: [SyncConflict] { get throws { try ann.page()?.conflicts ?? [] } }

  private func send(
    _ change: OperationChange, of device: inout Device, on row: DataIdentifier = "b1",
    resolving conflict: ConflictIdentifier?, knowing knowledge: AuthorKnowledge = .init()
  ) throws -> OperationResult? {
    var operation = device.operation(change, on: row, knowing: knowledge)
    operation.resolves = conflict
    return try device.push(device.seal([operation])).results?.results.last
  }

  @Test func `answering a conflict without values closes the conflict and changes no row`()
    throws
  {
    var ann = ann
    let open = try #require(try conflicts.first)

    let result = try send(.update(), of: &ann, resolving: open.conflictIdentifier)

    #expect(result?.status == .applied)
    #expect(result?.version == 0)
    #expect(try conflicts.map(\.resolvedBy) == ["ann-3"])
    #expect(try ann.page(after: 3)?.conflicts.count == 1)
    #expect(try ann.page(after: 3)?.rows == [])
    #expect(try ann.rows["b1"] == .title("Bob's"))
  }

  @Test func `a conflict that is closed by a change of its row gets the version of the change`()
    throws
  {
    var ann = ann
    let open = try #require(try conflicts.first)
    let knowledge = AuthorKnowledge(base: 3, seen: 3, baseCursor: 3)

    let result = try send(
      .update(.title("Both")), of: &ann, resolving: open.conflictIdentifier, knowing: knowledge)

    let page = try #require(try ann.page(after: 3))
    #expect(page.rows.map(\.version) == [result?.version])
    #expect(page.conflicts.map(\.resolvedBy) == ["ann-3"])
    #expect(try server.head(of: Device.scope) == result?.version)
  }

  @Test func `an account cannot close the conflict of another account`() throws {
    var bob = bob
    let open = try #require(try conflicts.first)

    let result = try send(.update(), of: &bob, resolving: open.conflictIdentifier)

    #expect(result?.status == .applied)
    #expect(try conflicts.map(\.resolvedBy) == [nil])
    #expect(try server.head(of: Device.scope) == 3)
  }

  @Test(arguments: ["c0", ""])
  func `an operation that answers an unknown conflict is applied and closes no conflict`(
    name: String
  ) throws {
    var ann = ann
    let knowledge = AuthorKnowledge(base: 2, seen: 2, baseCursor: 2)

    let result = try send(
      .update(.title("Both")), of: &ann, resolving: ConflictIdentifier(name), knowing: knowledge)

    #expect(result?.status == .applied)
    #expect(try ann.rows["b1"] == .title("Both"))
    #expect(try conflicts.map(\.resolvedBy) == [nil])
  }

  @Test func `an operation that names a conflict of another row does not close the conflict`()
    throws
  {
    var ann = ann
    let open = try #require(try conflicts.first)

    _ = try send(.insert(.title("Emma")), of: &ann, on: "b2", resolving: open.conflictIdentifier)

    #expect(try conflicts.map(\.resolvedBy) == [nil])
  }

  @Test func `a second answer to a closed conflict does not replace the first answer`() throws {
    var ann = ann
    let open = try #require(try conflicts.first)
    _ = try send(.update(), of: &ann, resolving: open.conflictIdentifier)

    _ = try send(.update(), of: &ann, resolving: open.conflictIdentifier)

    #expect(try conflicts.map(\.resolvedBy) == ["ann-3"])
    #expect(try server.head(of: Device.scope) == 4)
  }

  @Test
  func `an answered conflict stays closed if a database copy sends the conflicting change again`()
    throws
  {
    var (ann, copy) = (ann, try Device("copy", account: "ann", on: server))
    let open = try #require(try conflicts.first)
    _ = try send(.update(), of: &ann, resolving: open.conflictIdentifier)
    try server.compact(Device.scope, through: try server.head(of: Device.scope) ?? 0)

    let again = try copy.send(.update(.title("Ann's")), "ann-2", knowing: seen)

    #expect(again?.status == .parked)
    let closed = try #require(try copy.page(after: 4)?.conflicts.first)
    #expect(closed.conflictIdentifier == open.conflictIdentifier)
    #expect(closed.resolvedBy == "ann-3")
  }

  @Test
  func `an answer to a conflict closes that conflict even if the answer becomes a new conflict`()
    throws
  {
    var (ann, bob) = (ann, bob)
    let open = try #require(try conflicts.first)
    try bob.send(
      .update(.title("newer")), knowing: AuthorKnowledge(base: 2, seen: 2, baseCursor: 2))

    let result = try send(
      .update(.title("Both")), of: &ann, resolving: open.conflictIdentifier,
      knowing: AuthorKnowledge(base: 2, seen: 2, baseCursor: 2))

    #expect(result?.status == .parked)
    let open2 = try conflicts.filter { $0.resolvedBy == nil }
    #expect(open2.map { $0.values["title"]?.value } == [.text("Both")])
  }

  @Test func `the validator is not called for an update without values`() throws {
    let server = SyncServer(
      store: InMemorySyncStore(), policies: ["book": TablePolicy(.ask)],
      validate: { change in
        change.values.isEmpty ? OperationRejection(code: "empty", message: "no values") : nil
      }, environment: TestClock().environment)
    var ann = try Device("ann", on: server)

    let result = try ann.send(.update())

    #expect(result?.status == .applied)
  }
}
