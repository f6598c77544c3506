/// A formatter of English phrases.
package enum EnglishText {
  /// Returns a number and a noun whose plural ends with an s, such as `1 table` or `2 tables`.
  package static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
