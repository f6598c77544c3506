import CSQLite
import UndercroftCore
import UndercroftInspection

/// A search for indexes with which SQLite would read fewer rows for a statement.
///
/// The advisor creates candidate indexes in empty in-memory databases with the same schema, and
/// compares the query plans. The advisor does not use the statistics of the real tables.
struct IndexAdvisor {
  /// The maximum number of suggested indexes.
  private static let suggestionCount = 5
  /// The maximum number of candidates, each of which needs one compilation of the statement.
  private static let candidateCount = 64

  private let sql: String
  private let connection: QueryConnection
  private let candidates: [IndexCandidate]

  /// Creates an advisor for a statement, or returns `nil` if no index can make it faster.
  ///
  /// - Parameters:
  ///   - sql: the statement.
  ///   - steps: the plan of the statement.
  ///   - stores: the stores to which the statement can refer.
  ///   - original: a connection that reads the stores.
  init?(
    for sql: String, steps: [QueryPlan.Step], on stores: [QueriedStore],
    of original: QueryConnection
  ) throws(StorageError) {
    guard PlanCost(steps).isImprovable else { return nil }
    connection = try QueryConnection.empty(like: original, of: stores)
    self.sql = sql
    let databases = original.databases.filter { $0.role != .entries }
    for database in databases {
      Self.copySchema(database.schema, of: original, to: connection)
    }
    candidates = Array(
      IndexCandidate.all(for: sql, steps: steps, databases: databases, on: connection)
        .prefix(Self.candidateCount))
  }

  /// Returns statements that create the indexes, in the order in which the plan uses them.
  ///
  /// All candidates are created first, because some plans need several indexes, such as a plan for
  /// two conditions with `OR`. Then each index without which the plan is as good is removed.
  func suggestions() throws -> [String] {
    // The schema may need modules or functions of the application, which are not available.
    guard let before = try cost() else { return [] }
    let created = try candidates.filter { candidate in
      try connection.deadline.check()
      return candidate.create(on: connection)
    }
    let steps = try connection.planSteps(of: sql)
    var used: [IndexCandidate] = []
    // Tables of several databases can have the same name, and so can their indexes.
    for candidate in steps.flatMap({ step in created.filter { $0.isUsed(in: step) } })
    where !used.contains(where: { $0.isSame(as: candidate) }) {
      used.append(candidate)
    }
    for candidate in created where !used.contains(where: { $0.isSame(as: candidate) }) {
      candidate.drop(on: connection)
    }
    guard var best = try cost(), best < before else { return [] }
    for candidate in used {
      candidate.drop(on: connection)
      guard let cost = try cost(), cost <= best else {
        _ = candidate.create(on: connection)
        continue
      }
      best = cost
      used.removeAll { $0.isSame(as: candidate) }
    }
    return used.prefix(Self.suggestionCount).map(\.statement)
  }

  /// Returns the cost of the plan, or `nil` if the statement is not valid for the copied schema.
  private func cost() throws(StorageError) -> PlanCost? {
    try connection.deadline.check()
    return (try? connection.planSteps(of: sql)).map { PlanCost($0) }
  }

  /// Creates the tables, indexes and views of a database.
  private static func copySchema(
    _ schema: String, of original: QueryConnection, to connection: QueryConnection
  ) {
    let objects = Statement.internalQuery(
      """
      SELECT sql FROM \(schema.quotedIdentifier).sqlite_schema
      WHERE type IN ('table', 'index', 'view') AND sql IS NOT NULL ORDER BY rowid
      """, on: original.raw
    ) { row in sqlite3_column_text(row, 0).map { String(cString: $0) } ?? "" }
    for object in objects {
      // The tables of a virtual table already exist, and some objects cannot be created.
      if let sql = qualified(object, in: schema) { try? connection.execute(sql) }
    }
  }

  /// Returns a statement of `sqlite_schema`, with the name of a schema before the name that the
  /// statement creates.
  ///
  /// SQLite stores such a statement without the name of a schema, and without `TEMP` and
  /// `IF NOT EXISTS`.
  private static func qualified(_ sql: String, in schema: String) -> String? {
    let tokenized = TokenizedSQL(sql)
    let keywords = tokenized.tokens.prefix(3).firstIndex { token in
      ["table", "index", "view"].contains { token.isWord($0) }
    }
    guard tokenized.tokens.first?.isWord("create") == true, let keywords,
      tokenized.tokens.count > keywords + 1
    else { return nil }
    let name = keywords + 1..<keywords + 2
    return tokenized.replacing([
      (name, "\(schema.quotedIdentifier).\(tokenized.text(of: name))")
    ])
  }
}
