/// The text of a duration in the unit that suits it.
enum AgeText {
  private static let units: [(seconds: Double, name: String)] = [
    (86_400 * 365, "year"), (86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"),
  ]

  /// Returns a duration in seconds as a phrase, such as "3 days".
  static func of(_ seconds: Double) -> String {
    for unit in units where seconds >= unit.seconds {
      guard let count = Int(exactly: (seconds / unit.seconds).rounded(.down)) else { break }
      return "\(count) \(unit.name)\(count == 1 ? "" : "s")"
    }
    return "less than a second"
  }
}
