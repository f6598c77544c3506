import UndercroftCore
import UndercroftSQLite

/// How SQLite compares the names of tables and columns: without regard to the case of ASCII letters, and of no others.
enum SQLName {
  /// The form in which two names are the same that SQLite takes for the same.
  static func folded(_ name: String) -> ExactString { name.folded }

  static func isSame(_ one: String, _ other: String) -> Bool { folded(one) == folded(other) }

  static func folded(_ names: [String]) -> Set<ExactString> { Set(names.map(folded)) }
}
