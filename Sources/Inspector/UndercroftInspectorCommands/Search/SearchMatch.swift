/// A place in a store where a text was found.
struct SearchMatch {
  /// The part of the store that contains the text.
  enum Part: String {
    case name = "name"
    case value = "value"
  }

  let part: Part
  /// The table, or `nil` if the text is in an entry.
  var table: String?
  /// The name of the entry, or the primary key of the row, or the number of a row without a key.
  let key: String
  var column: String?
  let excerpt: String
}
