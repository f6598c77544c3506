import Foundation

/// Runs `body` on a new thread, so that no thread of the shared pool is blocked.
package func onNewThread<Value: Sendable, Failure: Error>(
  stackSize: Int? = nil, _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
  let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
    let thread = Thread { continuation.resume(returning: Result(catching: body)) }
    if let stackSize { thread.stackSize = stackSize }
    thread.start()
  }
  return try result.get()
}

/// Runs `body` on a thread with a stack of 512 KiB, as a system may assign it to the threads of its
/// pools.
package func onSmallStack<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await onNewThread(stackSize: 512 << 10, body)
}
