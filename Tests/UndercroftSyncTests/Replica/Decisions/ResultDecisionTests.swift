import Testing
import UndercroftSync

@Suite struct ResultDecisionTests {
  private func decision(
    _ status: OperationStatus, version: Int64 = 8, state: OperationState = .sealed,
    record: Int64? = 3, cursor: Int64 = 0
  ) -> ResultDecision {
    ResultDecision(
      OperationResult(operationIdentifier: "o", sequence: 1, status: status, version: version),
      state: state, recordVersion: record, consistentCursor: cursor)
  }

  @Test(arguments: [OperationState.pending, .closed, .ready, .acknowledged])
  func `a server's result is ignored unless its operation was sent and is not yet acknowledged`(
    state: OperationState
  ) {
    #expect(decision(.applied, state: state) == .isIgnored)
    #expect(decision(.parked, state: state) == .isIgnored)
  }

  @Test(arguments: [OperationStatus.applied, .absorbed, .lost])
  func `a server's result acknowledges an operation whose effect has not been pulled yet`(
    status: OperationStatus
  ) {
    #expect(decision(status) == .isAcknowledged(version: 8))
    #expect(decision(status, record: nil) == .isAcknowledged(version: 8))
  }

  @Test
  func `a server's result removes an operation from the queue if its effect is already pulled`() {
    #expect(decision(.applied, record: 8) == .leaves)
    #expect(decision(.applied, record: 9) == .leaves)
    #expect(decision(.applied, cursor: 8) == .leaves)
    #expect(decision(.applied, state: .confirmed) == .leaves)
  }

  @Test
  func `an operation that changed nothing on the server leaves the queue when its result arrives`()
  {
    #expect(decision(.applied, version: 0) == .leaves)
    #expect(decision(.lost, version: 0) == .leaves)
  }

  @Test(arguments: [
    (OperationStatus.parked, SyncConflict.Kind.open), (.stale, .stale), (.rejected, .rejected),
    (.groupAborted, .groupAborted),
  ])
  func `an operation that the server did not apply is set aside as a conflict`(
    status: OperationStatus, kind: SyncConflict.Kind
  ) {
    #expect(decision(status) == .isParked(kind))
    #expect(decision(status, state: .confirmed) == .isParked(kind))
  }
}
