/// Waits until a condition is true, and returns `false` if it is still false at the time limit.
package func eventually(
  within limit: Duration = .hangLimit, _ condition: () async throws -> Bool
) async throws -> Bool {
  let deadline = ContinuousClock.now + limit
  while try await !condition() {
    if ContinuousClock.now > deadline { return false }
    try await Task.sleep(for: .milliseconds(1))
  }
  return true
}
