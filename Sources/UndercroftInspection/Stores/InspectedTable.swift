/// The description of a table or view of a store.
public struct InspectedTable: Sendable, Equatable {
  /// The name of the table or view, as spelled in the schema.
  public let name: String
  /// The names of the columns in their order.
  public let columns: [String]
  /// The declared types of the columns in their order, which can be empty; or no types if the store
  /// does not declare any.
  public var columnTypes: [String] = []
  /// The names of the columns whose values are computed from the other columns, so that no
  /// statement can set them.
  public var generatedColumns: [String] = []
  /// Whether the rows are computed by a query, which can take any time, instead of being stored.
  public var isView = false
  /// Whether the rows cannot be counted because the table is damaged.
  public var isDamaged = false
  /// The columns of the primary key in their order, or no columns if the table has none.
  public var keyColumns: [String] = []
  /// The columns that each have a unique constraint or a unique index of all rows for themselves,
  /// in the order of the table, without the primary key.
  public var uniqueColumns: [String] = []
  /// The columns that can be NULL, in the order of the table.
  public var nullableColumns: [String] = []
  /// The foreign keys of the table.
  public var references: [InspectedReference] = []
  /// The SQL statements that create the triggers of the table or view.
  public var triggers: [String] = []
  /// The number of rows, or `nil` if they were not counted, or cannot be counted, such as in a
  /// damaged table.
  public let rowCount: Int?
  /// The SQL statement that creates the table or view.
  public let definition: String

  /// Creates the description of a table or view.
  public init(name: String, columns: [String], rowCount: Int?, definition: String) {
    self.name = name
    self.columns = columns
    self.rowCount = rowCount
    self.definition = definition
  }
}

/// A foreign key of a table.
public struct InspectedReference: Sendable, Equatable {
  /// The columns that refer to the other table.
  public let columns: [String]
  /// The table to which the columns refer.
  public let table: String
  /// The columns to which ``columns`` refer, or no columns for the primary key.
  public let targetColumns: [String]

  /// Creates a foreign key.
  public init(columns: [String], table: String, targetColumns: [String]) {
    self.columns = columns
    self.table = table
    self.targetColumns = targetColumns
  }
}
