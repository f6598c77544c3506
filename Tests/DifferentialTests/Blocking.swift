import Foundation

/// Runs `body` on its own thread: cases take seconds, and tests share a pool of few threads.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}
