import Foundation
import Testing
import UndercroftCore
import UndercroftTesting

@Suite struct ModelCheckTests {
  @Test func `a sound backend passes the model check`() throws {
    try ModelCheck(seed: 1, operations: 500).run(
      reopening: false, against: Harness { _ in MemoryBackend() })
  }

  @Test
  func `a failed model check names the seed and the shortest failing prefix of the operations`()
    throws
  {
    let harness = Harness { _ in ForgetfulBackend() }
    let failure = try #require(throws: ConformanceFailure.self) {
      try ModelCheck(seed: 7, operations: 400).run(reopening: false, against: harness)
    }
    let match = try #require(
      failure.reason.firstMatch(of: /with seed 7, .* failed at operation (\d+):/))
    let count = try #require(Int(match.1))

    #expect(throws: ConformanceFailure.self) {
      try ModelCheck(seed: 7, operations: count).run(reopening: false, against: harness)
    }
    try ModelCheck(seed: 7, operations: count - 1).run(reopening: false, against: harness)
  }

  @Test func `the model check reports the error of a backend that fails randomly`() throws {
    let harness = Harness { _ in FaultyBackend(MemoryBackend(), .random(seed: 3, oneIn: 50)) }
    let failure = try #require(throws: ConformanceFailure.self) {
      try ModelCheck(seed: 4).run(reopening: false, against: harness)
    }

    #expect(failure.reason.contains("injected fault"))
  }

  @Test func `a random generator repeats its numbers for the same seed but not for another seed`() {
    var first = SeededGenerator(seed: 5)
    var second = SeededGenerator(seed: 5)
    var third = SeededGenerator(seed: 6)
    let numbers = (0..<100).map { _ in first.next() }

    #expect(numbers == (0..<100).map { _ in second.next() })
    #expect(numbers != (0..<100).map { _ in third.next() })
    #expect(Set(numbers).count == 100)
  }
}
