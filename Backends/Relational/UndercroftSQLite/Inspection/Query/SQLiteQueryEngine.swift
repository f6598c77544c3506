import UndercroftCore
import UndercroftFoundation
public import UndercroftInspection

extension StoreQueryEngine where Self == SQLiteQueryEngine {
  /// The engine that runs SQL statements with SQLite.
  public static var sqlite: SQLiteQueryEngine { SQLiteQueryEngine() }
}

/// An engine that runs SQL statements on several stores together, with SQLite.
///
/// Each run opens a connection of its own. The connection reads the stores and cannot write: a
/// statement that writes, attaches a database or changes a setting is refused.
///
/// A store of named values is a virtual table with the columns `name`, `value` and `bytes`. A name
/// is text if its bytes are valid UTF-8, and a blob otherwise. A value is text if its bytes are
/// valid UTF-8 without NUL, and a blob otherwise. Only the values that the statement needs are
/// read. A SQLite database is attached under the name of its store. If the database is the only
/// store, it is also the main database.
///
/// SQLite attaches at most 10 databases by default. If there are more, only those are attached that
/// the statement needs: the databases whose stores it names, and those of the tables that it names
/// without a store.
///
/// A value can have 128 MiB, and a row of the result 64 MiB. SQLite examines the time limit between
/// two instructions of its virtual machine, so one call of a function can exceed the limit.
public struct SQLiteQueryEngine: StoreQueryEngine {
  /// Creates an engine.
  public init() {}

  public func run(
    _ sql: String, on stores: [QueriedStore], limits: QueryLimits,
    columns: ([String]) throws -> Void, row: ([InspectedValue]) throws -> Bool
  ) throws {
    try HeapLimit.applying(limits.processMemory) {
      let deadline = QueryDeadline(limits.time)
      let connection = try QueryConnection.reading(stores, for: sql, deadline)
      try connection.checkingFiles {
        let statement = try connection.prepare(sql)
        try deadline.pausing { try columns(statement.columnNames) }
        while try connection.step(statement) {
          try QuerySizes.check(statement)
          let values = try statement.inspectedValues()
          let needsMore = try deadline.pausing { try row(values) }
          if !needsMore { return }
        }
      }
    }
  }

  public func plan(
    of sql: String, on stores: [QueriedStore], limits: QueryLimits
  ) throws -> QueryPlan {
    try HeapLimit.applying(limits.processMemory) {
      let deadline = QueryDeadline(limits.time)
      let connection = try QueryConnection.reading(stores, for: sql, deadline)
      return try connection.checkingFiles {
        let steps = try connection.planSteps(of: sql)
        let advisor = try IndexAdvisor(for: sql, steps: steps, on: stores, of: connection)
        return QueryPlan(steps: steps, suggestedIndexes: try advisor?.suggestions() ?? [])
      }
    }
  }
}
