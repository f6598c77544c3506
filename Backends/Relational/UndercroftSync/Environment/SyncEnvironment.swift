import UndercroftFoundation

/// The sources of times and identifiers, which a simulator replaces.
package struct SyncEnvironment: Sendable {
  /// Returns the time of the system in milliseconds since 1970.
  package var now: @Sendable () -> Int64
  /// Returns a new identifier: a random UUID in lower case.
  package var makeIdentifier: @Sendable () -> String
  /// Returns a random number from 0 up to but not including 1, which varies delays.
  package var makeFraction: @Sendable () -> Double
  /// Waits for a number of milliseconds, or until the task is cancelled.
  package var sleep: @Sendable (_ milliseconds: Int64) async throws -> Void
  /// The rules of the protocol that a test has switched off; empty outside of tests.
  package var mutations: Set<SyncMutation>

  package init(
    now: @escaping @Sendable () -> Int64, makeIdentifier: @escaping @Sendable () -> String,
    makeFraction: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void = {
      try await Task.sleep(for: .milliseconds($0))
    }, mutations: Set<SyncMutation> = []
  ) {
    self.now = now
    self.makeIdentifier = makeIdentifier
    self.makeFraction = makeFraction
    self.sleep = sleep
    self.mutations = mutations
  }

  /// The clock and the random numbers of the system.
  package static let system = SyncEnvironment(
    now: {
      // The conversion would trap if the clock of the system were set beyond all dates.
      Int64(exactly: (Date().timeIntervalSince1970 * 1000).rounded(.down)) ?? 0
    }, makeIdentifier: { UUID().uuidString.lowercased() })
}
