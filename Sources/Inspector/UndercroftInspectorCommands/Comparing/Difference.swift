/// A difference between two stores.
struct Difference {
  enum Change: String {
    case added = "+"
    case removed = "-"
    case changed = "~"
  }

  let change: Change
  let kind: String
  /// The table, or `nil` if the difference concerns an entry.
  var table: String?
  /// The name of the entry, or the primary key of the row.
  let key: String
  /// The value of the first store as text for people, or `nil` if it has none.
  var old: String?
  /// The value of the second store as text for people, or `nil` if it has none.
  var new: String?
}
