/// A change of one row, or of all rows that meet a condition, that is sent as exactly one
/// operation.
///
/// The changes of SQL statements are captured for each row, and changes of the same row are
/// combined until they are sent. A row operation is not combined with other changes. If a row
/// operation has a condition, the server also changes rows that meet the condition and that this
/// device does not know.
///
/// ```swift
/// try engine.perform(
///   .update("loan", where: .column("due", .less, .text("2026-10-01")), ["returned": .integer(1)]))
/// ```
public struct RowOperation: Sendable, Hashable {
  enum Change: Sendable, Hashable {
    case create(FieldValues)
    case update(FieldValues)
    case delete
  }

  enum Rows: Sendable, Hashable {
    case one(DataIdentifier)
    case all(RowCondition)
  }

  let table: String
  let rows: Rows
  let change: Change

  /// Returns an operation that inserts a row; columns without a value get their defaults.
  public static func create(
    _ table: String, _ identifier: DataIdentifier, _ values: FieldValues
  ) -> RowOperation {
    RowOperation(table: table, rows: .one(identifier), change: .create(values))
  }

  /// Returns an operation that updates some columns of a row.
  public static func update(
    _ table: String, _ identifier: DataIdentifier, _ values: FieldValues
  ) -> RowOperation {
    RowOperation(table: table, rows: .one(identifier), change: .update(values))
  }

  /// Returns an operation that deletes a row.
  public static func delete(_ table: String, _ identifier: DataIdentifier) -> RowOperation {
    RowOperation(table: table, rows: .one(identifier), change: .delete)
  }

  /// Returns an operation that updates some columns of all rows that meet a condition.
  ///
  /// The condition and `values` must not name encrypted columns, and `values` must not name
  /// counters.
  public static func update(
    _ table: String, where condition: RowCondition, _ values: FieldValues
  ) -> RowOperation {
    RowOperation(table: table, rows: .all(condition), change: .update(values))
  }

  /// Returns an operation that deletes all rows that meet a condition.
  public static func delete(_ table: String, where condition: RowCondition) -> RowOperation {
    RowOperation(table: table, rows: .all(condition), change: .delete)
  }
}
