import Dispatch

/// Runs `work` on a thread that may block, and returns or throws what it does.
///
/// `work` runs in the calling task, so `Task.isCancelled` and task-local values are those of the caller.
package func blocking<Result: Sendable>(
  _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withTaskExecutorPreference(BlockingExecutor()) { try await run(work) }
}

/// Apart, because the preference decides where a function begins that is isolated to no actor.
@concurrent
private func run<Result: Sendable>(
  _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try work()
}

/// Runs each part of a task on a thread outside of the pool that Swift's tasks share.
private final class BlockingExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // A serial queue of its own gets a thread even while all those of the shared pool are busy or blocked.
    DispatchQueue(label: "undercroft.blocking").async {
      job.runSynchronously(on: self.asUnownedTaskExecutor())
    }
  }
}
