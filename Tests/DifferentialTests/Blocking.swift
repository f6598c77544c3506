import Foundation

/// Runs `body` on a thread of its own: cases take seconds, and tests share a pool of few threads.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}
