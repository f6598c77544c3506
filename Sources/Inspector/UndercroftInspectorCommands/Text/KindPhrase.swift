import UndercroftCore

/// The part of a message that names the selected kinds of data.
enum KindPhrase {
  /// Returns a phrase such as " of the kind "record"", or an empty string if no kind is selected.
  static func of(_ kind: String?) -> String { kind.map { " of the kind \(quoted($0))" } ?? "" }

  /// Returns a phrase such as " of the kinds "blob" or "record"", or an empty string if no kind is
  /// selected.
  static func of(_ kinds: [String]) -> String {
    guard kinds.count > 1 else { return of(kinds.first) }
    return " of the kinds " + kinds.map { quoted($0) }.joined(separator: " or ")
  }
}
