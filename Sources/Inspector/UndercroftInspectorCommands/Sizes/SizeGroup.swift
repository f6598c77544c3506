import UndercroftCore
import UndercroftInspection

/// The total size of the values whose names begin with the same parts, or of a whole store.
struct SizeGroup {
  /// The path of the store as the user has passed it, or `nil` if it is the only path.
  let target: String?
  let kind: String
  /// The common parts of the names, such as "cover.", the name of a table, or `nil` for the store.
  let name: String?
  var count: Int
  var byteCount: Int
  /// Whether the values of the store are together larger than its files, which compress them.
  var isCompressed = false

  /// The maximum number of groups; the values of further groups are counted together.
  private static let maximumCount = 10_000
  private static let separators: Set<Character> = [".", "/", ":", "-"]

  /// Returns the group of a store, and the groups of its values or tables.
  ///
  /// - Parameter depth: the number of parts of names by which values are grouped, or 0 for none.
  static func groups(of store: DiscoveredStore, depth: Int) throws -> [SizeGroup] {
    let (opened, kind) = (try store.open(), store.name)
    var whole = SizeGroup(
      target: store.target, kind: kind, name: nil, count: 0,
      byteCount: StoreFile.byteCount(of: store) ?? opened.report.byteCount)
    guard depth > 0, !opened.isConfidential else {
      whole.count =
        opened.report.isTabular
        ? opened.report.entryCount ?? 0 : try opened.visibleEntryCount() ?? 0
      return [whole]
    }
    var groups: [ExactString: SizeGroup] = [:]
    try SizedItem.forEach(in: opened, kind) { item in
      whole.count += 1
      var name = ExactString(item.isTable ? item.name : prefix(of: item.name, depth: depth))
      if groups[name] == nil, groups.count >= maximumCount { name = "…" }
      let empty = SizeGroup(
        target: store.target, kind: kind, name: name.text, count: 0, byteCount: 0)
      groups[name, default: empty].count += 1
      groups[name]?.byteCount += item.byteCount
    }
    // A virtual table has no group, because other tables store its content.
    if opened.report.isTabular { whole.count = opened.report.entryCount ?? whole.count }
    let sum = groups.values.reduce(0) { $0.addingReportingOverflow($1.byteCount).partialValue }
    whole.isCompressed = sum > whole.byteCount
    return [whole] + groups.values
  }

  /// Returns whether the group is shown before another one: stores before parts, and large groups
  /// before small ones.
  func precedes(_ other: SizeGroup) -> Bool {
    if (name == nil) != (other.name == nil) { return name == nil }
    return (other.byteCount, kind, name ?? "", target ?? "")
      < (byteCount, other.kind, other.name ?? "", other.target ?? "")
  }

  /// The name for people, who see a text in parentheses for a store.
  var label: String { name ?? (isCompressed ? "(whole store, compressed)" : "(whole store)") }

  /// Returns the first `depth` parts of a name with their separators, or the whole name if it has
  /// no more parts.
  static func prefix(of name: String, depth: Int) -> String {
    var remaining = depth
    for index in name.indices where separators.contains(name[index]) {
      remaining -= 1
      if remaining == 0 { return String(name[...index]) }
    }
    return name
  }
}
