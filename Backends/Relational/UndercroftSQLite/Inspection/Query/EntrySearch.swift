import CSQLite
import UndercroftCore
import UndercroftFoundation

/// The rows of a virtual table of named values that a query needs.
///
/// SQLite compares each row again with the conditions of the query, so that a search can contain
/// too many rows.
enum EntrySearch {
  case nothing
  case name(String)
  /// The entry whose name consists of bytes that are not valid UTF-8.
  case nameBytes(Data)
  /// All entries whose names begin with a text, which can be empty.
  case prefix(String)

  /// The conditions from which a search is made.
  enum Plan: Int32 {
    case all = 0
    case equality = 1
    case range = 2

    /// The description of the plan in the output of `EXPLAIN QUERY PLAN`.
    var text: StaticString {
      switch self {
      case .all: ""
      case .equality: "name=?"
      case .range: "name>? AND name<?"
      }
    }
  }

  /// Creates a search from the values with which a query compares the names.
  ///
  /// A number can be equal to a name after a conversion, which SQLite makes. All rows are therefore
  /// searched for a number. A blob is equal only to a name that is not text.
  init(_ plan: Plan, _ values: [OpaquePointer?]) {
    switch plan {
    case .all: self = .prefix("")
    case .equality:
      guard let value = values.first.flatMap({ $0 }) else {
        self = .prefix("")
        return
      }
      switch sqlite3_value_type(value) {
      case SQLITE_NULL: self = .nothing
      case SQLITE_BLOB: self = .init(blob: value)
      default: self = Self.text(value).map { .name($0) } ?? .prefix("")
      }
    case .range:
      let bounds = values.compactMap { $0.flatMap(Self.text) }
      self = .prefix(bounds.count == 2 ? Self.commonPrefix(bounds[0], bounds[1]) : "")
    }
  }

  private init(blob value: OpaquePointer) {
    guard let start = sqlite3_value_blob(value) else {
      self = .nothing
      return
    }
    let bytes = Data(bytes: start, count: Int(sqlite3_value_bytes(value)))
    self = String(validating: bytes, as: UTF8.self) == nil ? .nameBytes(bytes) : .nothing
  }

  /// Returns the longest common prefix of two texts.
  ///
  /// If two texts have the same prefix, each text between them has the prefix too.
  static func commonPrefix(_ lower: String, _ upper: String) -> String {
    var prefix = String.UnicodeScalarView()
    for (one, other) in zip(lower.unicodeScalars, upper.unicodeScalars) {
      guard one == other else { break }
      prefix.append(one)
    }
    return String(prefix)
  }

  /// Returns the text of a value, or `nil` if the value is not text or not valid UTF-8.
  private static func text(_ value: OpaquePointer) -> String? {
    guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value) else {
      return nil
    }
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    return String(validating: bytes, as: UTF8.self)
  }
}
