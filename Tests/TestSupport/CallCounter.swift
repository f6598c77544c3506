import Synchronization

/// A counter of the calls of a handler on any thread.
package final class CallCounter: Sendable {
  private let calls = Atomic<Int>(0)

  package init() {}

  package var count: Int { calls.load(ordering: .sequentiallyConsistent) }

  package func increment() { calls.add(1, ordering: .sequentiallyConsistent) }
}
