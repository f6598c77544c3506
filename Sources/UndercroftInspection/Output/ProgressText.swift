/// The text that describes the progress of a command on one line.
package struct ProgressText {
  /// The activity as a participle, such as "searching".
  private let activity: String
  /// The number of parts, such as stores, or 0 if it is unknown.
  private let stepCount: Int
  private var subject = ""
  private var step = 0
  private var started: ContinuousClock.Instant?
  /// The number of values or bytes of the present part, or `nil` if it is unknown.
  package var total: Int?

  /// Creates the text of an activity that has not begun.
  package init(activity: String, stepCount: Int = 0) {
    self.activity = activity
    self.stepCount = stepCount
  }

  /// Begins the next part.
  package mutating func begin(_ subject: String, total: Int?, now: ContinuousClock.Instant) {
    self.subject = ValueText.safe(subject)
    self.total = total
    step += 1
    started = now
  }

  /// Returns the line, such as `searching blob (2 of 7): 1,200 of 4,000 (30%), 600/s`.
  ///
  /// - Parameters:
  ///   - count: the number of values or bytes of the present part that were processed.
  ///   - now: the present time, which determines the rate.
  package func line(count: Int, now: ContinuousClock.Instant) -> String {
    var line = subject.isEmpty ? activity : "\(activity) \(subject)"
    if stepCount > 1, step > 0 { line += " (\(step) of \(stepCount))" }
    let seconds = started.map { (now - $0) / .seconds(1) } ?? 0
    guard count > 0 else {
      return seconds >= 1 ? "\(line): \(Int(seconds)) s" : line
    }
    line += ": \(text(count))"
    // An application may add values after the total was determined.
    if let total, total >= count {
      line += " of \(text(total)) (\(Int(Double(count) / Double(total) * 100))%)"
    }
    if seconds >= 0.5 { line += ", \(text(Int(Double(count) / seconds)))/s" }
    return line
  }

  /// Returns a number with commas between groups of three digits.
  private func text(_ number: Int) -> String {
    var groups: [Substring] = []
    var digits = String(number)[...]
    while digits.count > 3 {
      groups.append(digits.suffix(3))
      digits = digits.dropLast(3)
    }
    return ([digits] + groups.reversed()).joined(separator: ",")
  }
}
