/// A clock that determines when the next progress line is due.
///
/// The first line is due after 500 ms. Further lines are due every 100 ms if standard error is a
/// terminal, and every 2 s otherwise.
struct LineClock {
  private var next = ContinuousClock.now + .milliseconds(500)

  /// Whether a line is due now.
  ///
  /// If the value is `true`, reading this property schedules the next line.
  var isDue: Bool {
    mutating get {
      let now = ContinuousClock.now
      guard now >= next else { return false }
      next = now + (ProgressLine.isTerminal ? .milliseconds(100) : .seconds(2))
      return true
    }
  }
}
