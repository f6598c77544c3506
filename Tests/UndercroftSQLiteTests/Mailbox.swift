import Dispatch
import Synchronization

/// A value that one thread waits for and another one brings.
final class Mailbox<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let bell = DispatchSemaphore(value: 0)

  func put(_ value: Value?) {
    self.value.withLock { $0 = value }
    bell.signal()
  }

  /// Whether nothing has been put there yet.
  var isEmpty: Bool { value.withLock { $0 == nil } }

  /// Waits for the value; `nil` when none came within ten minutes, which only guards against waiting for ever.
  func take() -> Value? {
    guard bell.wait(timeout: .now() + 600) == .success else { return nil }
    return value.withLock { $0 }
  }
}
