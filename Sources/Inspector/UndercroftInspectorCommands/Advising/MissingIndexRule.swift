import UndercroftCore
import UndercroftInspection

/// A rule that recognises tables without the indexes that their references, views and triggers
/// need.
struct MissingIndexRule: AdviceRule {
  static let names = ["missing-index"]
  /// The number of rows from which an index is faster than a scan by a noticeable time.
  private static let minimumRows = 1_000
  /// The number of statements that are examined for each store.
  private static let maximumStatements = 500

  /// A statement that an application or SQLite runs, and that may need an index.
  private struct Need {
    /// The columns, the view or the trigger that the advice concerns.
    let subject: String
    /// The consequence of a missing index, as a sentence.
    let reason: String
    let sql: String
  }

  func advice(about store: AdvisedStore) throws -> [Advice] {
    guard store.hasTables else { return [] }
    let large = try largeTables(of: store)
    guard !large.isEmpty else { return [] }
    var found: [Advice] = []
    var seen: Set<ExactString> = []
    for need in needs(of: store, large).prefix(Self.maximumStatements) {
      for index in try store.suggestedIndexes(for: need.sql)
      where seen.insert(ExactString(index)).inserted {
        guard let table = Self.table(of: index), let count = large[table] else { continue }
        found.append(
          Advice(
            rule: "missing-index", store: store.name, table: table.text, subject: need.subject,
            count: count, reason: "\(need.reason); \(table.text) has at least \(count) rows",
            fix: "\(index);", command: store.command(running: "\(index);")))
      }
    }
    return found
  }

  /// Returns the table of a statement that creates an index, in lower case.
  private static func table(of index: String) -> ExactString? {
    let tokens = SQLWords(index).tokens
    guard let position = tokens.firstIndex(where: { $0.isWord("on") }),
      position + 1 < tokens.count
    else { return nil }
    return ExactString(SQLIdentifier.name(of: tokens[position + 1].text).lowercased())
  }

  /// Returns the tables with many rows, with a lower bound of the number of their rows.
  private func largeTables(of store: AdvisedStore) throws -> [ExactString: Int] {
    var large: [ExactString: Int] = [:]
    try store.forEachTable { table in
      let count = try store.rowCount(of: table, limit: Self.minimumRows)
      if count == Self.minimumRows { large[ExactString(table.name.lowercased())] = count }
    }
    return large
  }

  private func needs(of store: AdvisedStore, _ large: [ExactString: Int]) -> [Need] {
    store.tables.flatMap { table -> [Need] in
      let isLarge = large[ExactString(table.name.lowercased())] != nil
      return (isLarge ? references(of: table) : []) + (table.isView ? [view(table)] : [])
        + triggers(of: table)
    }
  }

  private func references(of table: InspectedTable) -> [Need] {
    table.references.map { reference in
      let columns = reference.columns.map(SQLIdentifier.quoted)
      let condition = columns.map { "\($0) = 1" }.joined(separator: " AND ")
      return Need(
        subject: reference.columns.joined(separator: ", "),
        reason: """
          each deletion or change of a row of \(reference.table) reads all rows of \(table.name), \
          because the foreign key has no index
          """,
        sql: "SELECT 1 FROM \(SQLIdentifier.quoted(table.name)) WHERE \(condition)")
    }
  }

  private func view(_ view: InspectedTable) -> Need {
    Need(
      subject: "the view \(view.name)",
      reason: "each query of the view \(view.name) reads all rows of a table",
      sql: "SELECT * FROM \(SQLIdentifier.quoted(view.name))")
  }

  private func triggers(of table: InspectedTable) -> [Need] {
    table.triggers.flatMap { definition in
      TriggerStatements.conditions(of: definition).map { sql in
        Need(
          subject: "a trigger of \(table.name)",
          reason: "a trigger of \(table.name) reads all rows of a table each time it runs",
          sql: sql)
      }
    }
  }
}
