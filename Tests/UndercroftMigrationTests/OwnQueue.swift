import Dispatch

/// Runs tasks on a dedicated queue, because the shared threads may be busy with other tests.
final class OwnQueue: TaskExecutor {
  private let queue = DispatchQueue(label: "undercroft.tests")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
