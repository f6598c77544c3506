/// A search for the shortest history that still violates the same rule.
struct HistoryShrinker {
  private(set) var plan: SimulationPlan
  private(set) var violation: SimulationViolation
  /// The number of histories that may still be run.
  private var attempts: Int

  /// Creates a search that begins with a history, or returns `nil` if the history violates no rule.
  init?(_ plan: SimulationPlan, attempts: Int) {
    guard let violation = Self.violation(of: plan) else { return nil }
    self.plan = plan
    self.violation = violation
    self.attempts = attempts
  }

  /// Returns the violation in a history, or `nil` if there is none.
  static func violation(of plan: SimulationPlan) -> SimulationViolation? {
    do {
      _ = try HistoryRun(plan).run()
      return nil
    } catch let violation as SimulationViolation {
      return violation
    } catch {
      return SimulationViolation(.failedCall, "a call that must succeed has failed: \(error)")
    }
  }

  /// Makes the history as short as the number of attempts permits.
  mutating func shrink() {
    var before: Int
    repeat {
      before = plan.size
      removeDevices()
      removeInitialRows()
      removeFaults()
      removeSteps()
    } while plan.size < before && attempts > 0
  }

  /// Replaces the history if `other` violates the same rule, and returns whether it was replaced.
  @discardableResult
  private mutating func accept(_ other: SimulationPlan) -> Bool {
    guard attempts > 0 else { return false }
    attempts -= 1
    guard let found = Self.violation(of: other), found.rule == violation.rule else { return false }
    plan = other
    violation = found
    return true
  }

  private mutating func removeSteps() {
    var length = plan.steps.count / 2
    while length > 0 {
      var start = 0
      while start < plan.steps.count {
        var other = plan
        other.steps.removeSubrange(start..<min(start + length, plan.steps.count))
        if !accept(other) { start += length }
      }
      length /= 2
    }
  }

  private mutating func removeInitialRows() {
    while plan.initialRows > 0 {
      var other = plan
      other.initialRows /= 2
      if !accept(other) { break }
    }
    while plan.initialRows > 0 {
      var other = plan
      other.initialRows -= 1
      if !accept(other) { break }
    }
  }

  private mutating func removeDevices() {
    for number in plan.devices.keys.sorted() where plan.devices.count > 1 {
      var other = plan
      other.devices[number] = nil
      other.steps.removeAll { $0.device == number }
      accept(other)
    }
  }

  private mutating func removeFaults() {
    for index in plan.steps.indices
    where plan.steps[index].deviceFuse != nil || plan.steps[index].serverFuse != nil {
      var other = plan
      (other.steps[index].deviceFuse, other.steps[index].serverFuse) = (nil, nil)
      accept(other)
    }
    if plan.dropRate > 0 {
      var other = plan
      other.dropRate = 0
      accept(other)
    }
    if plan.duplicationRate > 0 {
      var other = plan
      other.duplicationRate = 0
      accept(other)
    }
    if plan.hasDelays {
      var other = plan
      other.hasDelays = false
      accept(other)
    }
    for (number, device) in plan.devices.sorted(by: { $0.key < $1.key }) where device.skew != 0 {
      var other = plan
      other.devices[number]?.skew = 0
      accept(other)
    }
  }
}

extension SimulationPlan {
  /// A number that decreases when the history becomes simpler.
  fileprivate var size: Int {
    let fuses = steps.count { $0.deviceFuse != nil } + steps.count { $0.serverFuse != nil }
    let faults =
      (dropRate > 0 ? 1 : 0) + (duplicationRate > 0 ? 1 : 0)
      + (hasDelays ? 1 : 0)
    return 10 * (steps.count + initialRows) + fuses + faults + devices.count
      + devices.values.count { $0.skew != 0 }
  }
}
