import CSQLite
import UndercroftCore
import UndercroftInspection

extension QueryConnection {
  /// Returns the steps in which SQLite would execute a statement. (`EXPLAIN QUERY PLAN`)
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the statement is not valid, writes, or is an
  ///   explanation itself.
  func planSteps(of sql: String) throws -> [QueryPlan.Step] {
    // The position of an error refers to the statement without the added words.
    let original = try prepare(sql)
    guard !original.isExplanation else {
      throw StorageError.sqliteMisuse(
        "cannot show the plan of the statement: the statement begins with EXPLAIN",
        suggestion: "remove EXPLAIN and QUERY PLAN from the statement")
    }
    // SQLite accepts semicolons before a statement, but not after the added words.
    let body = sql.unicodeScalars.drop { $0 == ";" || $0.properties.isWhitespace }
    let statement = try prepare("EXPLAIN QUERY PLAN " + String(body))
    var steps: [QueryPlan.Step] = []
    var depths: [Int64: Int] = [:]
    while try step(statement) {
      let (id, parent, text) = statement.planStep
      let depth = depths[parent].map { $0 + 1 } ?? 0
      depths[id] = depth
      steps.append(QueryPlan.Step(depth: depth, text: text))
    }
    return steps
  }
}

extension Statement {
  /// Whether the statement begins with `EXPLAIN`. (`sqlite3_stmt_isexplain`)
  fileprivate var isExplanation: Bool { sqlite3_stmt_isexplain(raw) != 0 }

  /// The current row of the output of `EXPLAIN QUERY PLAN`.
  fileprivate var planStep: (id: Int64, parent: Int64, text: String) {
    (
      sqlite3_column_int64(raw, 0), sqlite3_column_int64(raw, 1),
      sqlite3_column_text(raw, 3).map { String(cString: $0) } ?? ""
    )
  }
}
