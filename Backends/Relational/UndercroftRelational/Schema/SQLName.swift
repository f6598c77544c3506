import UndercroftCore
import UndercroftSQLite

/// The comparison of table and column names as in SQLite: the case of ASCII letters is ignored.
enum SQLName {
  /// Returns a form of a name that is equal for all names that SQLite considers equal.
  static func folded(_ name: String) -> ExactString { name.folded }

  static func isSame(_ one: String, _ other: String) -> Bool { folded(one) == folded(other) }

  static func folded(_ names: [String]) -> Set<ExactString> { Set(names.map(folded)) }
}
