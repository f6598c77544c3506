import Dispatch
import Synchronization

/// A value that one thread waits for and another thread provides.
final class Mailbox<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let bell = DispatchSemaphore(value: 0)

  func put(_ value: Value?) {
    self.value.withLock { $0 = value }
    bell.signal()
  }

  /// Whether no value has been put yet.
  var isEmpty: Bool { value.withLock { $0 == nil } }

  /// Waits for the value.
  ///
  /// Returns `nil` if none arrives within ten minutes, a limit that only prevents an endless wait.
  func take() -> Value? {
    guard bell.wait(timeout: .now() + 600) == .success else { return nil }
    return value.withLock { $0 }
  }
}
