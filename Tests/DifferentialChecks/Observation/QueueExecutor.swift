import Dispatch

/// A task executor with a separate dispatch queue.
///
/// The cases of other modes may block all threads of the default pool.
final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "undercroft.observation")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
