import Testing
import UndercroftCore
import UndercroftSync

/// Tests of cursors below the floor, and of snapshots during which the floor moves.
@Suite struct SnapshotRequestTests {
  private let server: SyncServer
  private let ann: Device

  /// Creates a server with four rows, the second of which is deleted, and the floor 3.
  init() throws {
    server = SyncServer(store: InMemorySyncStore(), environment: TestClock().environment)
    var ann = try Device("ann", on: server)
    for number in 1...4 { try ann.send(.insert([:]), on: DataIdentifier("b\(number)")) }
    try ann.send(.delete, on: "b2", knowing: AuthorKnowledge(base: 2, seen: 2, baseCursor: 4))
    self.ann = ann
    try server.compact(Device.scope, through: 3)
  }

  private func isReset(_ request: PullRequest) throws -> Bool {
    guard case .refused(.reset(let reason, let epoch)) = try ann.pull(request) else {
      return false
    }
    return reason == .floor && epoch == request.epoch
  }

  @Test func `a cursor below the floor needs a snapshot`() throws {
    #expect(try isReset(ann.request(after: 2)))
    #expect(try isReset(ann.request(after: 0)))
    #expect(try !isReset(ann.request(after: 3)))
  }

  @Test func `a snapshot begins at any floor`() throws {
    #expect(try !isReset(ann.request(after: 0, mode: .snapshot)))
    #expect(try !isReset(ann.request(after: 0, mode: .snapshot, snapshotFloor: 1)))
  }

  @Test func `a snapshot continues while the floor remains`() throws {
    #expect(try !isReset(ann.request(after: 1, mode: .snapshot, snapshotFloor: 3)))
  }

  @Test func `a snapshot during which the floor moves begins again`() throws {
    #expect(try isReset(ann.request(after: 1, mode: .snapshot, snapshotFloor: 2)))
    #expect(try isReset(ann.request(after: 1, mode: .snapshot)))
  }

  @Test func `a snapshot that has passed the floor continues`() throws {
    #expect(try !isReset(ann.request(after: 3, mode: .snapshot, snapshotFloor: 2)))
  }
}
