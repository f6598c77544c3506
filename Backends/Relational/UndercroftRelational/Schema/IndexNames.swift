import UndercroftCore
import UndercroftSQLite

/// A generator of names for the declared indexes of a table.
///
/// A name is composed of the name of the table and the names of the indexed columns.
struct IndexNames {
  /// The prefix of the names of all declared indexes.
  ///
  /// An index without this prefix does not belong to a declaration and is never changed.
  static let prefix = SchemaObject.declaredPrefix

  private let table: String
  private var useCounts: [ExactString: Int] = [:]

  init(on table: String) { self.table = table }

  /// Returns the name of the next index: `undercroft.book.title`, or
  /// `undercroft.book.title.2` for a second index of the same columns.
  mutating func name(_ index: IndexDefinition) -> String {
    let name = Self.prefix + ([table] + index.columns).map(Self.part).joined(separator: ".")
    let count = (useCounts[SQLName.folded(name)] ?? 0) + 1
    useCounts[SQLName.folded(name)] = count
    return count == 1 ? name : "\(name).\(count)"
  }

  /// Returns a part of an index name, in quotes if it contains a dot, consists only of
  /// digits, or has other special characters, so that different indexes have different names.
  private static func part(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy {
      $0 == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    let isNumber = Int(name) != nil
    return isPlain && !isNumber ? name : name.quotedIdentifier
  }
}
