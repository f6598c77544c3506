import UndercroftCore
import UndercroftInspection

/// A rule that recognises settings whose names contain the key of a row and the name of a column,
/// such as `book.17.title` and `book.17.author`.
struct RowLikeNamesRule: AdviceRule {
  static let names = ["rows-as-names"]
  /// The number of keys from which a table is recommended.
  private static let minimumKeys = 50
  /// The number of values of each store whose names are examined.
  private static let examinedValues = 100_000
  /// The number of fields above which the names are not columns.
  private static let maximumFields = 50
  private static let separators: Set<Character> = [".", "/", ":", "-", "_"]

  /// The keys and fields of the names with one prefix.
  private struct Group {
    var keys: Set<ExactString> = []
    var fields: [ExactString: Int] = [:]
  }

  func advice(about store: AdvisedStore) throws -> [Advice] {
    guard !store.opened.isConfidential, !store.opened.report.isTabular else { return [] }
    var groups: [ExactString: Group] = [:]
    var count = 0
    try store.opened.forEachEntry { entry in
      count += 1
      let parts = entry.name.split(maxSplits: 2) { Self.separators.contains($0) }
      if parts.count == 3 {
        let (prefix, key) = (ExactString(String(parts[0])), ExactString(String(parts[1])))
        let field = ExactString(String(parts[2]))
        var group = groups.removeValue(forKey: prefix) ?? Group()
        group.keys.insert(key)
        if group.fields.count <= Self.maximumFields || group.fields[field] != nil {
          group.fields[field, default: 0] += 1
        }
        groups[prefix] = group
      }
      return count < Self.examinedValues
    }
    return groups.sorted { $0.key < $1.key }.compactMap { advice(store, $0.text, $1) }
  }

  private func advice(_ store: AdvisedStore, _ prefix: String, _ group: Group) -> Advice? {
    guard group.keys.count >= Self.minimumKeys, group.fields.count <= Self.maximumFields else {
      return nil
    }
    let fields = group.fields.filter { $0.value * 10 >= group.keys.count * 8 }.keys.sorted()
    guard fields.count >= 2 else { return nil }
    let names = fields.prefix(5).map(\.text).joined(separator: ", ")
    return Advice(
      rule: "rows-as-names", store: store.name, subject: "\(prefix)*", count: group.keys.count,
      reason: """
        \(group.keys.count) keys have a value for each of \(names), so the names are rows and \
        columns of a table
        """,
      fix: Advice.fixWithTable)
  }
}
