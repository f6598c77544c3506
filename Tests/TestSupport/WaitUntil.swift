import Foundation

/// Blocks the thread until a condition is true, and returns `false` if it is still false at the
/// time limit.
///
/// Asynchronous tests call `eventually`, because they must not block a thread of the shared pool.
package func waitUntil(
  within limit: Duration = .hangLimit, _ condition: () throws -> Bool
) rethrows -> Bool {
  let deadline = ContinuousClock.now + limit
  while try !condition() {
    if ContinuousClock.now > deadline { return false }
    Thread.sleep(forTimeInterval: 0.001)
  }
  return true
}
