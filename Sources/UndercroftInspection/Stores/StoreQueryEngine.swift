public import UndercroftFoundation

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
  ///   names a table of several stores without a store, or that needs too much memory,
  ///   ``StorageError/Code/interrupted`` if the time limit is reached, and any error that reading
  ///   the stores or a closure throws.
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

/// A store with the name by which SQL statements refer to it.
///
/// A store of named values is a table with the columns `name`, `value` and `bytes`. The tables of a
/// database are in a schema with the name of the store.
public struct QueriedStore: Sendable {
  /// The name of the table or schema.
  public let name: String
  /// The location of the store.
  public let url: URL
  /// The open store.
  public let store: OpenedStore

  /// Creates a description of a store.
  public init(name: String, url: URL, store: OpenedStore) {
    self.name = name
    self.url = url
    self.store = store
  }
}

/// The limits of a statement that is run or planned.
public struct QueryLimits: Sendable {
  /// The maximum duration of the statement, or `nil` for no limit.
  public var time: Duration? = .seconds(30)
  /// The maximum number of bytes of memory that the engine uses in the whole process while the
  /// statement runs, or `nil` for no limit.
  ///
  /// The limit also applies to other users of the same library in the process. Set it in a process
  /// that runs one statement, such as a command.
  public var processMemory: Int?

  /// Creates the default limits.
  public init() {}
}

/// The steps in which a statement would be executed.
public struct QueryPlan: Sendable, Equatable {
  /// One step, such as the scan of a table.
  public struct Step: Sendable, Equatable {
    /// The number of steps that contain this step.
    public let depth: Int
    /// The description of the step, such as "SCAN book".
    public let text: String

    /// Creates a step.
    public init(depth: Int, text: String) {
      self.depth = depth
      self.text = text
    }
  }

  /// The steps in the order of their execution, in which a step follows the step that contains it.
  public var steps: [Step]
  /// SQL statements that create indexes with which the statement would read fewer rows.
  public var suggestedIndexes: [String]

  /// Creates a plan.
  public init(steps: [Step], suggestedIndexes: [String] = []) {
    self.steps = steps
    self.suggestedIndexes = suggestedIndexes
  }
}
