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

  @Test(arguments: [OperationState.pending, .closed, .ready, .acknowledged, .failed])
  func `a result is ignored unless its operation was sent and is not yet acknowledged`(
    state: OperationState
  ) {
    #expect(decision(.applied, state: state) == .isIgnored)
    #expect(decision(.parked, state: state) == .isIgnored)
  }

  @Test(arguments: [OperationStatus.applied, .absorbed, .lost])
  func `an operation whose effect is not pulled yet becomes acknowledged`(status: OperationStatus) {
    #expect(decision(status) == .isAcknowledged(version: 8))
    #expect(decision(status, record: nil) == .isAcknowledged(version: 8))
  }

  @Test func `an operation whose effect is already pulled leaves the queue`() {
    #expect(decision(.applied, record: 8) == .leaves)
    #expect(decision(.applied, record: 9) == .leaves)
    #expect(decision(.applied, cursor: 8) == .leaves)
    #expect(decision(.applied, state: .confirmed) == .leaves)
  }

  @Test func `an operation that changed nothing on the server leaves the queue`() {
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
