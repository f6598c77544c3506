import Foundation

/// Runs `body` on a thread with a stack of 512 KiB, as a system may assign it to the threads of its
/// pools.
package func onSmallStack<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
    thread.stackSize = 512 << 10
    thread.start()
  }
}
