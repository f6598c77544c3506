/// A formatter of English phrases for the descriptions of charts.
enum EnglishText {
  /// Returns a number and a noun, such as `1 table` or `2 tables`.
  static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
