import Dispatch

/// The wait of a thread for asynchronous work.
enum Waiting {
  private final class Box<Value: Sendable>: @unchecked Sendable {
    var result: Result<Value, any Error>?
  }

  /// Runs `body`, and returns its result.
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
