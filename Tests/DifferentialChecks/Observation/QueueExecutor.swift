import Dispatch

/// A task executor that runs its jobs on a dispatch queue of its own.
///
/// Random checks of other kinds run at the same time and may block all threads of Swift's default
/// executor. Tasks on this executor continue nevertheless.
final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "undercroft.observation")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
