import Foundation
import Synchronization

/// A task executor with two separate threads, because the shared pool may be busy.
final class TwoThreads: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let bell = DispatchSemaphore(value: 0)
  private let isOver = Atomic<Bool>(false)

  /// Runs `body`, and the tasks that it creates, on the two threads.
  static func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    let threads = TwoThreads()
    for _ in 0..<2 { Thread.detachNewThread { threads.work() } }
    defer { threads.end() }
    return try await withTaskExecutorPreference(threads) { try await body() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    bell.signal()
  }

  private func work() {
    while true {
      bell.wait()
      if let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        job.runSynchronously(on: asUnownedTaskExecutor())
      } else if isOver.load(ordering: .sequentiallyConsistent) {
        return
      }
    }
  }

  private func end() {
    isOver.store(true, ordering: .sequentiallyConsistent)
    for _ in 0..<2 { bell.signal() }
  }
}
