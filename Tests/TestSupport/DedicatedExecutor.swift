import Dispatch
import Foundation
import Synchronization

/// A task executor with separate threads, because the shared threads may be busy with other tests.
package final class DedicatedExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let jobOrEnd = DispatchSemaphore(value: 0)
  private let hasEnded = Atomic<Bool>(false)

  /// Runs `body`, and the tasks that it creates, on the given number of new threads.
  package static func run<Result>(
    threads count: Int, _ body: () async throws -> Result
  ) async rethrows -> Result {
    let executor = DedicatedExecutor()
    for _ in 0..<count { Thread.detachNewThread { executor.runJobs() } }
    defer { executor.end(threads: count) }
    return try await withTaskExecutorPreference(executor) {
      // The preference applies from the next suspension on. Until then, the task would continue on
      // the thread of its caller.
      await Task.yield()
      return try await body()
    }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    jobOrEnd.signal()
  }

  private func runJobs() {
    while true {
      jobOrEnd.wait()
      if let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        job.runSynchronously(on: asUnownedTaskExecutor())
      } else if hasEnded.load(ordering: .sequentiallyConsistent) {
        return
      }
    }
  }

  private func end(threads count: Int) {
    hasEnded.store(true, ordering: .sequentiallyConsistent)
    for _ in 0..<count { jobOrEnd.signal() }
  }
}
