/// How much an examination may try.
package struct CrashBudget: Sendable {
  /// How long each model of each store may take; states beyond are left out and counted.
  package var time: Duration
  /// How many states each model of each store may open.
  package var states: Int
  /// How many second crashes are recorded for each store.
  package var secondCrashes: Int
  /// How many single calls are made to fail, at most, of each sort.
  package var faults: Int
  /// Which sorts of calls fail, such as "fsync"; all if `nil`.
  package var calls: [String]?
  /// What repeats the choices.
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
