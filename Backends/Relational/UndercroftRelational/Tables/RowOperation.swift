import UndercroftSQLite

/// A write of one row: an insert, an update or an upsert.
enum RowOperation {
  /// Inserts the row.
  ///
  /// `only` contains the indices of the columns to write, or is `nil` for all columns of the row.
  case insert(only: [Int]? = nil, onConflict: InsertConflict = .fail)
  /// Updates the existing row that has the same key as the new values.
  ///
  /// `only` has the same meaning as in `insert`.
  case update(only: [Int]? = nil)
  /// Inserts the row, or updates the existing row with the same key or unique values.
  case upsert(Upsert)

  /// The columns by which an upsert finds an existing row, and the values that update this row.
  struct Upsert {
    /// The columns by which the existing row is found.
    let target: UpsertTarget
    /// The columns to update in an existing row, or `nil` for all columns.
    var only: [Int]?
    /// Whether NULL overwrites the value of an existing row.
    var overwritingWithNil = true
    /// The assignments that update an existing row, or `nil` to update the row with the values of
    /// the new row.
    var assignments: [Assignment]?
  }

  /// Whether the operation must write a row.
  ///
  /// If `true` and no row is written, the operation throws an error.
  var requiresWrittenRow: Bool {
    switch self {
    case .insert(_, let conflict): conflict != .ignore
    case .update: false
    case .upsert: true
    }
  }
}

/// A statement that writes one row, or only reads the row if an update sets no column.
struct RowStatement {
  /// The operation whose checks the row must pass, or `nil` if the statement only reads the row.
  let operation: WriteOperation?
  /// The statement without a `RETURNING` clause.
  let sql: SQL
  /// The statement with a `RETURNING` clause, if it has been built before.
  private let prebuilt: SQL?
  /// The indices of the columns whose values are bound to the placeholders, or `nil` if the values
  /// are already bound in `sql`.
  let columnIndices: [Int]?
  /// Whether the error of a check that rejects the row contains the record that the caller passed.
  let reportsRecord: Bool

  init(
    _ operation: WriteOperation?, _ sql: SQL, returning: SQL? = nil, columnIndices: [Int]?,
    reportsRecord: Bool = true
  ) {
    (self.operation, self.sql, prebuilt, self.columnIndices) = (
      operation, sql, returning, columnIndices
    )
    self.reportsRecord = reportsRecord
  }

  /// Returns the statement with a `RETURNING` clause.
  func returning(_ clause: String) -> SQL { prebuilt ?? sql + SQL(unchecked: clause) }
}
