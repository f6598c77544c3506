import Testing
import UndercroftCore
import UndercroftSync

@Suite struct SyncOperationTests {
  private func operation(absorbed: [AbsorbedOperation]) -> SyncOperation {
    SyncOperation(
      operationIdentifier: "op3", sequence: 1, table: "book", dataIdentifier: "b1",
      change: .update(["title": .text("Dune")], increments: ["loans": 7]), timestamp: 0,
      hybridTimestamp: .zero, absorbed: absorbed)
  }

  private static let absorbed = [
    AbsorbedOperation("op1", increments: ["loans": 2]),
    AbsorbedOperation("op2", increments: ["loans": 5, "pages": 1]),
  ]

  @Test
  func `increments that the server already processed are subtracted from a merged operation`() {
    let operation = operation(absorbed: Self.absorbed)

    let both = operation.subtractingAbsorbed { _ in .inRow }
    let first = operation.subtractingAbsorbed { $0 == "op1" ? .inConflict : nil }

    #expect(both.change.increments == ["loans": 2, "pages": -1])
    #expect(first.change.increments == ["loans": 5])
    #expect(first.change.values == ["title": .text("Dune")])
  }

  @Test
  func `a merged operation retains all increments if the server has processed none of them`() {
    let operation = operation(absorbed: Self.absorbed)

    #expect(operation.subtractingAbsorbed { _ in nil } == operation)
  }

  @Test
  func `a merged insertion creates its row without the increments that a conflict contains`() {
    var operation = operation(absorbed: [AbsorbedOperation("op1", increments: ["loans": 2])])
    operation.change = .insert([:], counters: ["loans": 7])

    #expect(operation.subtractingAbsorbed { _ in .inRow }.change.absolutes == ["loans": 7])
    let other = operation.subtractingAbsorbed { _ in .inConflict }
    #expect(other.change.absolutes == ["loans": 5])
    #expect(other.change.increments == ["loans": 5])
  }

  @Test
  func `a merged operation whose increments were all processed before contains no increments`() {
    let operation = operation(absorbed: [AbsorbedOperation("op1", increments: ["loans": 7])])

    #expect(operation.subtractingAbsorbed { _ in .inConflict }.change.increments.isEmpty)
  }

  @Test func `counter increments beyond 64 bits wrap around`() {
    var counters: CounterValues = ["loans": .max]

    counters.add(["loans": 1])
    #expect(counters == ["loans": .min])
    counters.subtract(["loans": 1])
    #expect(counters == ["loans": .max])
  }
}
