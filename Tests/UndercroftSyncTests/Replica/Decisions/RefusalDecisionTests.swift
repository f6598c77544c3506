import Testing
import UndercroftSync

@Suite struct RefusalDecisionTests {
  private static let state: ReplicaState = {
    var state = ReplicaState(scope: "town", account: "librarian", replica: "north")
    state.epoch = "first"
    state.downloadCursor = 7
    return state
  }()

  private func decision(_ refusal: SyncRefusal, _ state: ReplicaState = state) -> RefusalDecision {
    RefusalDecision(refusal, state: state)
  }

  @Test func `a replica that the server refuses as a fork gets a new identity`() {
    #expect(decision(.forked) == .reidentifies)
  }

  @Test
  func `a replica adopts a history that a refusal names, and waits if it already has that history`()
  {
    #expect(decision(.epoch("second")) == .resetsTimeline("second"))
    #expect(decision(.reset(.floor, "second")) == .resetsTimeline("second"))
    #expect(decision(.epoch("first")) == .waits)
  }

  @Test
  func `if the server demands a reset, a replica pulls a snapshot, unless this pull just began`() {
    var beginning = Self.state
    beginning.mode = .snapshot
    beginning.downloadCursor = 0
    var midway = beginning
    midway.downloadCursor = 3

    #expect(decision(.reset(.floor, "first")) == .startsSnapshot("first"))
    #expect(decision(.reset(.floor, "first"), beginning) == .waits)
    #expect(decision(.reset(.floor, "first"), midway) == .startsSnapshot("first"))
  }

  @Test
  func `an operation becomes a conflict if another operation on the server has its identifier`() {
    #expect(decision(.operationCollision("o")) == .parks("o"))
  }

  @Test func `operations wait if the server requires a newer version of the application`() {
    #expect(decision(.upgradeRequired(minimumPush: 3)) == .waits)
  }
}
