import Testing
import UndercroftSync

@Suite struct PageDecisionTests {
  private static let state: ReplicaState = {
    var state = ReplicaState(scope: "town", account: "librarian", replica: "north")
    state.epoch = "first"
    state.generation = 2
    state.downloadCursor = 7
    state.chain.append("o1")
    state.chain.append("o2")
    return state
  }()

  private static var page: SyncPage {
    SyncPage(
      epoch: "first", replica: "north", generation: 2, from: 7, to: 9, head: 9, serverTime: 0,
      appliedThrough: state.chain, rows: [])
  }

  private func decision(
    _ page: SyncPage = page, own: OperationChain? = nil
  ) -> PageDecision { PageDecision(page, state: Self.state, ownChain: own) }

  @Test func `the page after the cursor is stored`() {
    #expect(decision() == .isStored)
    #expect(decision(own: Self.state.chain) == .isStored)
  }

  @Test func `a page for another identity, reset or cursor is ignored`() {
    var (identity, reset, cursor) = (Self.page, Self.page, Self.page)
    identity.replica = "south"
    reset.generation = 1
    cursor.from = 6

    for page in [identity, reset, cursor] { #expect(decision(page) == .isIgnored) }
  }

  @Test func `a page of another history resets the timeline`() {
    var page = Self.page
    page.epoch = "second"

    #expect(decision(page) == .resetsTimeline("second"))
  }

  @Test func `the first page determines the history`() {
    var state = Self.state
    state.epoch = nil

    #expect(PageDecision(Self.page, state: state, ownChain: nil) == .isStored)
  }

  @Test func `a server that is ahead of the file gives a new identity`() {
    var page = Self.page
    page.appliedThrough.append("o3")

    #expect(decision(page) == .reidentifies(.serverIsAhead))
  }

  @Test func `an equal last operation after another history gives a new identity`() {
    var (other, page) = (OperationChain(), Self.page)
    other.append("o0")
    other.append("o2")
    page.appliedThrough = other

    #expect(other.lastOperation == Self.state.chain.lastOperation)
    #expect(decision(page) == .reidentifies(.chainsDiffer))
  }

  @Test func `another operation in the middle of the chain gives a new identity`() {
    var (first, other, page) = (OperationChain(), OperationChain(), Self.page)
    first.append("o1")
    other.append("o0")
    page.appliedThrough = other

    #expect(decision(page, own: first) == .reidentifies(.chainsDiffer))
    #expect(decision(page) == .isStored, "the operation has left the queue")
  }
}
