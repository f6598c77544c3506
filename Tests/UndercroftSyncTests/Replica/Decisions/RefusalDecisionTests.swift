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
  func `a replica adopts the server history in a refusal, or waits if that history is current`() {
    #expect(decision(.epoch("second")) == .resetsTimeline("second"))
    #expect(decision(.reset(.floor, "second")) == .resetsTimeline("second"))
    #expect(decision(.epoch("first")) == .waits)
  }

  @Test
  func `a reset demanded by the server starts a snapshot download if none has just begun`() {
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
  func `an operation that the server refuses because of its identifier is set aside as a conflict`()
  {
    #expect(decision(.operationCollision("o")) == .parks("o"))
  }

  @Test func `operations wait if the server requires a newer version of the application`() {
    #expect(decision(.upgradeRequired(minimumPush: 3)) == .waits)
  }
}
