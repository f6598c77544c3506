import Foundation
import UndercroftCore
import UndercroftInspection

/// A rule that recognises values that are rows of a table: many JSON objects with common members.
struct RowLikeValuesRule: AdviceRule {
  /// The number of similar values from which a table is recommended.
  private static let limit = 100
  private static let examined = 1_000

  func advice(about store: AdvisedStore) throws -> [Advice] {
    guard !store.opened.isConfidential, !store.opened.report.isTabular else { return [] }
    var groups: [ExactString: (count: Int, members: Set<ExactString>)] = [:]
    var count = 0
    try store.opened.forEachEntry { entry in
      count += 1
      guard let bytes = try store.opened.bytes(of: entry.name), let members = Self.members(bytes)
      else { return count < Self.examined }
      let prefix = ExactString(SizeGroup.prefix(of: entry.name, depth: 1))
      let group = groups[prefix] ?? (0, members)
      groups[prefix] = (group.count + 1, group.members.intersection(members))
      return count < Self.examined
    }
    return groups.filter { $0.value.count >= Self.limit && !$0.value.members.isEmpty }
      .sorted { $0.key < $1.key }.map { prefix, group in
        let members = group.members.sorted().prefix(5).map(\.text).joined(separator: ", ")
        return Advice(
          rule: "rows-as-values", store: store.name, subject: "\(prefix.text)*",
          reason: """
            at least \(group.count) values are JSON objects with the members \(members), so a search \
            must decode each of them
            """,
          fix: "declare a `Table` with these columns, and an index for what is searched")
      }
  }

  /// Returns the names of the members of a JSON object, or `nil` for any other value.
  private static func members(_ bytes: Data) -> Set<ExactString>? {
    guard bytes.first == UInt8(ascii: "{"), bytes.count <= 100_000,
      let object = try? JSONSerialization.jsonObject(with: bytes) as? NSDictionary
    else { return nil }
    return Set(object.allKeys.compactMap { $0 as? String }.map { ExactString($0) })
  }
}
