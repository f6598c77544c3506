import Foundation

/// Runs `body` on a thread with the stack that a system may give the threads of its pools, 512 KiB.
package func onSmallStack<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
    thread.stackSize = 512 << 10
    thread.start()
  }
}
