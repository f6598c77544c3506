import UndercroftCore
import UndercroftSQLite

/// The names of a table's declared indexes in the schema, which say what they are indexes of.
struct IndexNames {
  /// The prefix of all names.
  ///
  /// An index without this prefix was created by hand and is never changed.
  static let prefix = SchemaObject.declaredPrefix

  private let table: String
  private var taken: [ExactString: Int] = [:]

  init(on table: String) { self.table = table }

  /// Names an index: `undercroft.book.title`, and `undercroft.book.title.2` for the next of the same column.
  mutating func name(_ index: IndexDefinition) -> String {
    let name = Self.prefix + ([table] + index.columns).map(Self.part).joined(separator: ".")
    let count = (taken[SQLName.folded(name)] ?? 0) + 1
    taken[SQLName.folded(name)] = count
    return count == 1 ? name : "\(name).\(count)"
  }

  /// Tells `a_b` and `c` from `a` and `b_c`, and a name with a dot or of digits alone from two: such are in quotes.
  private static func part(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy {
      $0 == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    let isNumber = Int(name) != nil
    return isPlain && !isNumber ? name : name.asName
  }
}
