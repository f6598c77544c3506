/// A change that is exactly one operation, whatever the row had before and gets afterwards.
///
/// The changes of SQL statements are captured for each row, and changes of one row are combined
/// until they are sent. A row operation is not combined with others. If it changes all rows that
/// meet a condition, it is one operation for all of them, and the server also changes rows that
/// meet the condition and that this device does not know.
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

  /// Returns the insertion of a row, whose missing columns get their defaults.
  public static func create(
    _ table: String, _ identifier: DataIdentifier, _ values: FieldValues
  ) -> RowOperation {
    RowOperation(table: table, rows: .one(identifier), change: .create(values))
  }

  /// Returns the update of some columns of a row.
  public static func update(
    _ table: String, _ identifier: DataIdentifier, _ values: FieldValues
  ) -> RowOperation {
    RowOperation(table: table, rows: .one(identifier), change: .update(values))
  }

  /// Returns the deletion of a row.
  public static func delete(_ table: String, _ identifier: DataIdentifier) -> RowOperation {
    RowOperation(table: table, rows: .one(identifier), change: .delete)
  }

  /// Returns the update of some columns of all rows that meet a condition.
  ///
  /// The columns must not be counters.
  public static func update(
    _ table: String, where condition: RowCondition, _ values: FieldValues
  ) -> RowOperation {
    RowOperation(table: table, rows: .all(condition), change: .update(values))
  }

  /// Returns the deletion of all rows that meet a condition.
  public static func delete(_ table: String, where condition: RowCondition) -> RowOperation {
    RowOperation(table: table, rows: .all(condition), change: .delete)
  }
}
