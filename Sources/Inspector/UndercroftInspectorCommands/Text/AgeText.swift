import UndercroftInspection

/// The text of a duration in the largest unit of which it contains at least one.
enum AgeText {
  private static let units: [(seconds: Double, name: String)] = [
    (86_400 * 365, "year"), (86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"),
  ]

  /// Returns a duration in seconds as a phrase, such as "3 days".
  static func of(_ seconds: Double) -> String {
    for unit in units where seconds >= unit.seconds {
      guard let count = Int(exactly: (seconds / unit.seconds).rounded(.down)) else { break }
      return EnglishText.counted(count, unit.name)
    }
    return "less than a second"
  }
}
