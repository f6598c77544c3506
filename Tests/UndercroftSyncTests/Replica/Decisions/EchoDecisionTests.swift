import Testing
import UndercroftSync

@Suite struct EchoDecisionTests {
  private func decision(
    _ state: OperationState, sequence: Int64? = 5, server: Int64? = nil, pulled: Int64 = 10,
    through: Int64 = 0
  ) -> EchoDecision {
    EchoDecision(
      state: state, sequence: sequence, serverVersion: server, pulled: pulled,
      appliedThrough: through)
  }

  @Test
  func `an acknowledged operation leaves the queue if the pulled row is not older than its result`()
  {
    #expect(decision(.acknowledged, server: 11) == .remains)
    #expect(decision(.acknowledged, server: 10) == .leaves)
    #expect(decision(.acknowledged, server: 9) == .leaves)
  }

  @Test
  func `an acknowledged operation leaves the queue if a pulled page covers its sequence number`() {
    #expect(decision(.acknowledged, server: 11, through: 5) == .leaves)
    #expect(decision(.acknowledged, server: 11, through: 4) == .remains)
    #expect(decision(.acknowledged, sequence: nil, server: 11, through: 5) == .remains)
  }

  @Test
  func `an operation in the state sealed is confirmed when a page of changes includes its effect`()
  {
    #expect(decision(.sealed, through: 5) == .isConfirmed)
    #expect(decision(.sealed, through: 4) == .remains)
  }

  @Test(arguments: [OperationState.pending, .closed, .ready, .confirmed])
  func `a pulled page of changes affects only operations in the states sealed and acknowledged`(
    state: OperationState
  ) {
    #expect(decision(state, sequence: nil, through: 9) == .remains)
    #expect(decision(state, server: 1, through: 9) == .remains)
  }
}
