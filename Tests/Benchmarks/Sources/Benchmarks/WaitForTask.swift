import Foundation
import Synchronization

/// Runs `body` in a task, and blocks the calling thread until the task has ended.
func waitForTask<Result: Sendable>(
  _ body: @escaping @Sendable () async throws -> Result
) throws -> Result {
  let result = Mutex<Swift.Result<Result, any Error>?>(nil)
  let end = DispatchSemaphore(value: 0)
  Task.detached {
    do {
      let value = try await body()
      result.withLock { $0 = .success(value) }
    } catch {
      result.withLock { $0 = .failure(error) }
    }
    end.signal()
  }
  end.wait()
  guard let result = result.withLock({ $0 }) else { throw BenchmarkFailure("no result") }
  return try result.get()
}
