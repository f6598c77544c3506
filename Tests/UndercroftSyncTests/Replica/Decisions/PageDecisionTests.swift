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

  @Test func `a pulled page of changes that begins at the replica's cursor is stored`() {
    #expect(decision() == .isStored)
    #expect(decision(own: Self.state.chain) == .isStored)
  }

  @Test
  func `a replica ignores a page of changes for another replica, snapshot or cursor`() {
    var (identity, reset, cursor) = (Self.page, Self.page, Self.page)
    identity.replica = "south"
    reset.generation = 1
    cursor.from = 6

    for page in [identity, reset, cursor] { #expect(decision(page) == .isIgnored) }
  }

  @Test
  func `a pulled page of changes from another server history makes the replica adopt that history`()
  {
    var page = Self.page
    page.epoch = "second"

    #expect(decision(page) == .resetsTimeline("second"))
  }

  @Test func `a replica without a known server history stores the first pulled page of changes`() {
    var state = Self.state
    state.epoch = nil

    #expect(PageDecision(Self.page, state: state, ownChain: nil) == .isStored)
  }

  @Test
  func `a replica gets a new identity if it lacks operations of its own that the server applied`() {
    var page = Self.page
    page.appliedThrough.append("o3")

    #expect(decision(page) == .reidentifies(.serverIsAhead))
  }

  @Test
  func
    `a replica gets a new identity if the hash of its operation chain differs from the server's`()
  {
    var (other, page) = (OperationChain(), Self.page)
    other.append("o0")
    other.append("o2")
    page.appliedThrough = other

    #expect(other.lastOperation == Self.state.chain.lastOperation)
    #expect(decision(page) == .reidentifies(.chainsDiffer))
  }

  @Test
  func
    `a replica gets a new identity if the last operation of its chain differs from the server's`()
  {
    var (first, other, page) = (OperationChain(), OperationChain(), Self.page)
    first.append("o1")
    other.append("o0")
    page.appliedThrough = other

    #expect(decision(page, own: first) == .reidentifies(.chainsDiffer))
    #expect(decision(page) == .isStored, "the operation has left the queue")
  }
}
