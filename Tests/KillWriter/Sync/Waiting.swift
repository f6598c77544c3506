import Dispatch

/// A function with which a thread waits for asynchronous work.
enum Waiting {
  private final class Box<Value: Sendable>: @unchecked Sendable {
    var result: Result<Value, any Error>?
  }

  /// Runs `body` in a detached task, blocks the thread until it ends, and returns its result.
  ///
  /// - Throws: the error that `body` throws.
  static func wait<Value: Sendable>(
    for body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let box = Box<Value>()
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      do { box.result = .success(try await body()) } catch { box.result = .failure(error) }
      isDone.signal()
    }
    isDone.wait()
    guard let result = box.result else { throw CancellationError() }
    return try result.get()
  }
}
