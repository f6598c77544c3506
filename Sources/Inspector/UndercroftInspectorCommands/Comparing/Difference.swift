import UndercroftInspection

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

  /// The maximum width in columns of the key of a row.
  static let maximumKeyWidth = 60

  /// The key as text for people on one line, which is cut if it is the primary key of a row.
  ///
  /// The name of an entry is complete, because other commands accept it.
  var shownKey: String {
    let text = ValueText.safe(key)
    return table == nil ? text : DisplayWidth.truncated(text, to: Self.maximumKeyWidth)
  }
}
