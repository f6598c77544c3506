import Dispatch

/// Runs tasks on a queue of its own.
///
/// The cases of other modes may block all threads of the pool on which tasks run otherwise.
final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "undercroft.observation")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
