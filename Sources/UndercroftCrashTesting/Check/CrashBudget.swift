/// The limits of a crash test.
package struct CrashBudget: Sendable {
  /// The maximum duration of each kind of test of each store.
  ///
  /// Disk states that are not tested within this duration are only counted.
  package var time: Duration
  /// The maximum number of disk states that are tested for each kind of test of each store.
  package var states: Int
  /// The maximum number of first crashes of each store after which a second crash is tested.
  ///
  /// After each first crash, a second writer continues,
  /// and the second crash happens while this writer runs.
  package var secondCrashes: Int
  /// The maximum number of faults that are tried for each store.
  package var faults: Int
  /// The kinds of system calls into which faults are injected, such as "fsync", or `nil` for all
  /// kinds.
  package var calls: [String]?
  /// The seed of the random choices; the same seed repeats the same choices.
  package var seed: UInt64

  /// Creates a budget that permits faults in all kinds of system calls.
  package init(
    time: Duration = .seconds(60), states: Int = .max, secondCrashes: Int = 12,
    faults: Int = .max, seed: UInt64 = 1
  ) {
    self.time = time
    self.states = states
    self.secondCrashes = secondCrashes
    self.faults = faults
    self.seed = seed
  }
}
