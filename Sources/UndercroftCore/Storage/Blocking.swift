import Dispatch

/// Runs `work` on a thread that may block, and returns its result or throws its error.
///
/// `work` runs in the calling task, so it sees the
/// caller's task-local values and `Task.isCancelled`.
package func blocking<Result: Sendable>(
  _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withTaskExecutorPreference(BlockingExecutor()) { try await run(work) }
}

/// Runs `work` on the task executor that ``blocking(_:)`` prefers.
///
/// This is a separate function because a task executor preference does not apply to a function
/// that is isolated to the main actor or to another actor with its own executor.
@concurrent
private func run<Result: Sendable>(
  _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try work()
}

/// A task executor that runs each job on a thread outside Swift's cooperative thread pool.
private final class BlockingExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Dispatch provides a thread for a new serial queue even if
    // all threads of the cooperative pool are busy or blocked.
    DispatchQueue(label: "undercroft.blocking").async {
      job.runSynchronously(on: self.asUnownedTaskExecutor())
    }
  }
}
