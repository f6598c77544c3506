import Synchronization
import TestSupport
import Testing
import UndercroftSQLite

@Suite(.timeLimit(.hangLimit)) struct AsyncSemaphoreTests {
  /// An identifier that counts how often identifiers are compared or hashed.
  private struct CountedID: Hashable {
    final class Counter { var count = 0 }

    let number: Int
    let counter: Counter

    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.counter.count += 1
      return lhs.number == rhs.number
    }

    func hash(into hasher: inout Hasher) {
      counter.count += 1
      hasher.combine(number)
    }
  }

  /// Adds `count` elements, removes every second element, the latest first, and then removes the
  /// remaining elements from the front.
  ///
  /// Returns how many times an identifier was compared or hashed.
  private func steps(_ count: Int) -> Int {
    let counter = CountedID.Counter()
    var queue = CancellableQueue<CountedID, Int>()
    for number in 0..<count {
      queue.append(number, id: CountedID(number: number, counter: counter))
    }
    for number in stride(from: count - 1, to: 0, by: -2) {
      #expect(queue.remove(CountedID(number: number, counter: counter)) == number)
    }
    for number in stride(from: 0, to: count, by: 2) { #expect(queue.popFirst() == number) }
    #expect(queue.popFirst() == nil)
    return counter.count
  }

  @Test func `a cancellable queue compares and hashes identifiers at most 20 times per element`() {
    // Growing the hash table hashes every identifier again. A linear search would take half a
    // million comparisons.
    for count in [100, 1_000, 10_000] { #expect(steps(count) <= 20 * count) }
  }

  @Test func `a cancellable queue discards the identifiers of removed elements`() {
    var queue = CancellableQueue<Int, Int>()
    queue.append(0, id: 0)
    for number in 1...10_000 {
      queue.append(number, id: number)
      #expect(queue.remove(number) == number)
    }

    #expect(queue.count == 1)
    #expect(queue.storedCount <= 64)
    #expect(queue.popFirst() == 0)
  }

  @Test func `a cancellable queue removes each element once and pops elements in order of arrival`()
  {
    var queue = CancellableQueue<String, Int>()
    for (number, name) in ["Emma", "Dune", "Ulysses"].enumerated() {
      queue.append(number, id: name)
    }

    #expect(queue.remove("Dune") == 1)
    #expect(queue.remove("Dune") == nil)
    #expect(queue.popFirst() == 0)
    #expect(queue.remove("Emma") == nil)
    #expect(queue.popFirst() == 2)
    #expect(queue.popFirst() == nil)
  }

  @Test func `in a cancelled task, a semaphore's withPermit throws without running its closure`()
    async throws
  {
    let semaphore = AsyncSemaphore(1)
    let hasRun = Atomic<Bool>(false)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await semaphore.withPermit { hasRun.store(true, ordering: .relaxed) }
    }

    await #expect(throws: CancellationError.self) { try await task.value }

    let isRun = hasRun.load(ordering: .relaxed)
    #expect(!isRun)
    let result = try await semaphore.withPermit { 1 }
    #expect(result == 1)
  }
}
