import UndercroftCore

/// A check of the table has refused a record, of which nothing was kept.
public struct RefusedRecord<Record: Sendable>: Error, CustomStringConvertible {
  /// What was to be done with the record.
  public enum Operation: String, Sendable, Hashable {
    case insert, update
  }

  /// The record as it was handed over or, where but a part of it was, as it would have been kept.
  public let record: Record
  /// What was to be done with it.
  public let operation: Operation
  /// The name of the table.
  public let table: String
  /// What the check threw.
  public let underlying: any Error

  public var description: String {
    "the record is not available to \(operation.rawValue) in \(quoted(table)): \(underlying)"
  }
}
