import UndercroftFoundation

/// The sources of times and identifiers, which a simulator replaces.
package struct SyncEnvironment: Sendable {
  /// Returns the time of the system in milliseconds since 1970.
  package var now: @Sendable () -> Int64
  /// Returns a new identifier: a random UUID in lower case.
  package var makeIdentifier: @Sendable () -> String
  /// The rules that are switched off; none outside of tests.
  package var mutations: Set<SyncMutation>

  package init(
    now: @escaping @Sendable () -> Int64, makeIdentifier: @escaping @Sendable () -> String,
    mutations: Set<SyncMutation> = []
  ) {
    self.now = now
    self.makeIdentifier = makeIdentifier
    self.mutations = mutations
  }

  /// The clock and the random numbers of the system.
  package static let system = SyncEnvironment(
    now: {
      // The conversion would trap if the clock of the system were set beyond all dates.
      Int64(exactly: (Date().timeIntervalSince1970 * 1000).rounded(.down)) ?? 0
    }, makeIdentifier: { UUID().uuidString.lowercased() })
}
