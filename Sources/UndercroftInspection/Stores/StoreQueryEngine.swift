/// An engine that runs SQL statements on several stores together.
public protocol StoreQueryEngine: Sendable {
  /// Runs one SQL statement, which only reads, and passes its rows to `row` one by one.
  ///
  /// - Parameters:
  ///   - sql: the statement.
  ///   - stores: the stores to which the statement can refer.
  ///   - limits: the limits of the statement.
  ///   - columns: a closure that receives the names of the columns before the first row.
  ///   - row: a closure that receives a row, and returns whether it needs more rows.
  /// - Throws: ``StorageError/Code/misuse`` for a statement that is not valid, that writes, that
  ///   names a table of several stores without a store, or that needs too many databases or too
  ///   much memory, ``StorageError/Code/interrupted`` if the time limit is reached, and any error
  ///   that reading the stores or a closure throws.
  func run(
    _ sql: String, on stores: [QueriedStore], limits: QueryLimits,
    columns: ([String]) throws -> Void, row: ([InspectedValue]) throws -> Bool
  ) throws

  /// Returns the steps in which the statement would be executed, with advice about missing indexes.
  ///
  /// - Parameters:
  ///   - sql: the statement, which is not executed.
  ///   - stores: the stores to which the statement can refer.
  ///   - limits: the limits of planning the statement and of searching for indexes.
  /// - Throws: ``StorageError/Code/misuse`` for a statement that is not valid or that writes, and
  ///   ``StorageError/Code/interrupted`` if the time limit is reached.
  func plan(
    of sql: String, on stores: [QueriedStore], limits: QueryLimits
  ) throws -> QueryPlan
}
