/// When a line about progress is due: after half a second, and then now and again.
struct LineClock {
  private var next = ContinuousClock.now + .milliseconds(500)

  /// Whether one is due now; if so, the next one is later.
  var isDue: Bool {
    mutating get {
      let now = ContinuousClock.now
      guard now >= next else { return false }
      next = now + (ProgressLine.isTerminal ? .milliseconds(100) : .seconds(2))
      return true
    }
  }
}
