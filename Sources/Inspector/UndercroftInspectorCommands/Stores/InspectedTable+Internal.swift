import UndercroftCore
import UndercroftInspection

extension [InspectedTable] {
  /// The tables and views without the internal ones: those of Undercroft, and those in which the
  /// modules of virtual tables store their content.
  var withoutInternalTables: [InspectedTable] {
    let names = Set(map { ExactString($0.name.lowercased()) })
    let isSynchronised = names.contains("sync_clock") || names.contains("sync_store")
    let shadows = Set(
      filter(\.isVirtual).flatMap { table in
        Self.shadowSuffixes.map { ExactString("\(table.name.lowercased())_\($0)") }
      })
    return filter { table in
      let name = ExactString(table.name.lowercased())
      let isOwn = Self.ownPrefixes.contains { name.begins(with: $0) }
      if isOwn || !table.isVirtual && shadows.contains(name) { return false }
      return !isSynchronised || !name.begins(with: "sync_") && name != "dirtylist"
    }
  }

  /// The beginnings of the names of the tables of Undercroft.
  ///
  /// The names of the companions of declared tables, such as those of full-text search, begin with
  /// the second one.
  private static var ownPrefixes: [String] { ["undercroft_", "undercroft."] }

  /// The ends of the names of tables in which full-text tables and R-trees store their content.
  private static var shadowSuffixes: [String] {
    [
      "config", "content", "data", "docsize", "idx", "node", "parent", "rowid", "segdir",
      "segments", "stat",
    ]
  }
}
