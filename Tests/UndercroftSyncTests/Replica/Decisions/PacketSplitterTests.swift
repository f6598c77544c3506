import Testing
import UndercroftSync

@Suite struct PacketSplitterTests {
  private func operation(_ sequence: Int64, group: String? = nil) -> SyncOperation {
    SyncOperation(
      operationIdentifier: OperationIdentifier("o\(sequence)"), sequence: sequence, table: "book",
      dataIdentifier: "b1", change: .delete, timestamp: 0, hybridTimestamp: .zero, group: group)
  }

  private func runs(
    _ operations: [SyncOperation], count: Int = 100, bytes: Int = 1000, packets: Int = .max
  ) -> [[Int64]] {
    PacketSplitter.split(operations, count: count, bytes: bytes, packets: packets) { _ in 10 }
      .map { $0.map(\.sequence) }
  }

  @Test func `splitting an empty list of operations produces no sync packets`() {
    #expect(runs([]) == [])
  }

  @Test func `a sync packet has at most the given number of operations`() {
    #expect(runs((1...5).map { operation($0) }, count: 2) == [[1, 2], [3, 4], [5]])
  }

  @Test func `a sync packet has at most the given number of bytes`() {
    #expect(runs((1...5).map { operation($0) }, bytes: 29) == [[1, 2], [3, 4], [5]])
  }

  @Test
  func `an operation that exceeds the limits of a sync packet is sent in a packet of its own`() {
    #expect(runs((1...3).map { operation($0) }, bytes: 5) == [[1], [2], [3]])
    #expect(runs((1...2).map { operation($0) }, count: 0) == [[1], [2]])
  }

  @Test func `a gap in the sequence numbers of operations begins a new sync packet`() {
    #expect(runs([operation(1), operation(3), operation(4)]) == [[1], [3, 4]])
  }

  @Test func `an atomic group of operations is not divided between sync packets`() {
    let operations =
      [operation(1)] + (2...4).map { operation($0, group: "g") }
      + (5...6).map { operation($0, group: "h") }

    #expect(runs(operations, count: 2) == [[1], [2, 3, 4], [5, 6]])
    #expect(runs(operations, count: 4) == [[1, 2, 3, 4], [5, 6]])
  }

  @Test func `splitting operations stops at the maximum number of sync packets`() {
    #expect(runs((1...5).map { operation($0) }, count: 1, packets: 2) == [[1], [2]])
  }
}
