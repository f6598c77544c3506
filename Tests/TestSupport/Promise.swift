import Dispatch
import Foundation
import Synchronization

/// A value that one thread provides and another thread waits for.
package final class Promise<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let isReady = DispatchSemaphore(value: 0)

  package init() {}

  /// Provides the value, or ends the wait without a value if `value` is `nil`.
  package func fulfill(_ value: Value?) {
    self.value.withLock { $0 = value }
    isReady.signal()
  }

  /// Whether a value was provided.
  package var isFulfilled: Bool { value.withLock { $0 != nil } }

  /// Blocks the thread until the value is provided, and returns the value.
  ///
  /// Returns `nil` if no value is provided within the time limit.
  package func wait(_ limit: Duration = .hangLimit) -> Value? {
    let nanoseconds = Int(limit / .nanoseconds(1))
    guard isReady.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success else { return nil }
    // A further wait returns immediately.
    isReady.signal()
    return value.withLock { $0 }
  }
}

/// Runs `body` on a new thread, and returns a promise of its result.
package func inBackground<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) -> Promise<Result<Value, any Error>> {
  let promise = Promise<Result<Value, any Error>>()
  Thread.detachNewThread { promise.fulfill(Result { try body() }) }
  return promise
}
