/// The limits of an examination.
package struct CrashBudget: Sendable {
  /// The maximum time for each model of each store.
  ///
  /// States that are not tried in this time are counted.
  package var time: Duration
  /// The maximum number of states that are opened for each model of each store.
  package var states: Int
  /// The maximum number of second crashes that are recorded for each store.
  package var secondCrashes: Int
  /// The maximum number of faults that are tried for each store.
  package var faults: Int
  /// The system calls that fail, such as "fsync", or `nil` for all.
  package var calls: [String]?
  /// The seed of the random choices, which repeats them.
  package var seed: UInt64

  /// Creates a budget.
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
