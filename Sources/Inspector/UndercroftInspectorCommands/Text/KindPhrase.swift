import UndercroftCore

/// The part of a message that names the selected kind of data.
enum KindPhrase {
  /// Returns a phrase such as " of the kind "record"", or an empty string if no kind is selected.
  static func of(_ kind: String?) -> String { kind.map { " of the kind \(quoted($0))" } ?? "" }
}
