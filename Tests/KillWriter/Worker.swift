import Foundation

/// A thread that can be waited for.
final class Worker: Sendable {
  private let work: @Sendable () -> Void
  private let isDone = DispatchSemaphore(value: 0)

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }

  func start() {
    Thread {
      self.work()
      self.isDone.signal()
    }.start()
  }

  func wait() { isDone.wait() }
}
