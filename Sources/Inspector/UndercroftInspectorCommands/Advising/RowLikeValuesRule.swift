import UndercroftCore
import UndercroftInspection

/// A rule that recognises values that are rows of a table: many objects with common members, as
/// JSON or property lists, in a store of named values or in a column.
struct RowLikeValuesRule: AdviceRule {
  static let names = ["rows-as-values", "rows-in-column"]
  /// The number of similar values from which a table is recommended.
  private static let minimumCount = 100
  /// The number of values of each store, or of rows of each table, that are examined.
  private static let examinedCount = 1_000

  func advice(about store: AdvisedStore) throws -> [Advice] {
    guard !store.opened.isConfidential else { return [] }
    return store.opened.report.isTabular ? try columns(of: store) : try values(of: store)
  }

  private func values(of store: AdvisedStore) throws -> [Advice] {
    var groups: [ExactString: MemberStatistics] = [:]
    var count = 0
    try store.opened.forEachEntry { entry in
      count += 1
      let size = entry.byteCount ?? 0
      guard size <= ObjectMembers.maximumByteCount,
        let bytes = try store.opened.bytes(of: entry.name), let members = ObjectMembers.of(bytes)
      else { return count < Self.examinedCount }
      let prefix = ExactString(SizeGroup.prefix(of: entry.name, depth: 1))
      groups[prefix, default: MemberStatistics()].add(members)
      return count < Self.examinedCount
    }
    return groups.sorted { $0.key < $1.key }.compactMap { prefix, group in
      guard group.count >= Self.minimumCount, let members = group.commonMembers else { return nil }
      return Advice(
        rule: "rows-as-values", store: store.name, subject: "\(prefix.text)*",
        count: group.count,
        reason: """
          at least \(group.count) values are objects with the members \(members), so a search \
          must decode each of them
          """,
        fix: Advice.fixWithTable)
    }
  }

  private func columns(of store: AdvisedStore) throws -> [Advice] {
    var found: [Advice] = []
    try store.forEachTable { table in
      guard !table.isVirtual else { return }
      var columns: [ExactString] = []
      var groups: [ExactString: MemberStatistics] = [:]
      var count = 0
      try store.opened.forEachRow(
        of: table.name, columns: { columns = $0.map { ExactString($0) } }
      ) { row in
        count += 1
        for (column, value) in zip(columns, row) {
          guard let members = ObjectMembers.of(value) else { continue }
          groups[column, default: MemberStatistics()].add(members)
        }
        return count < Self.examinedCount
      }
      for (column, group) in groups.sorted(by: { $0.key < $1.key }) {
        guard group.count >= Self.minimumCount, group.count * 10 >= count * 9,
          let members = group.commonMembers
        else { continue }
        found.append(advice(store, table, column.text, group.count, members))
      }
    }
    return found
  }

  private func advice(
    _ store: AdvisedStore, _ table: InspectedTable, _ column: String, _ count: Int,
    _ members: String
  ) -> Advice {
    Advice(
      rule: "rows-in-column", store: store.name, table: table.name,
      subject: "\(table.name).\(column)", count: count,
      reason: """
        the values of the column are objects with the members \(members), so a search must decode \
        each of them, and no index can contain them
        """,
      fix: """
        ALTER TABLE \(SQLIdentifier.quoted(table.name)) ADD COLUMN for each member that is \
        searched, and CREATE INDEX on it
        """)
  }
}
