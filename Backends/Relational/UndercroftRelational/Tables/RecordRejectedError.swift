import UndercroftCore

/// An error that reports that a check of the table rejected a record.
///
/// The write of the record was rolled back.
public struct RecordRejectedError<Record: Sendable>: Error, CustomStringConvertible {
  /// An operation that a check of the table can reject.
  public enum Operation: String, Sendable, Hashable {
    case insert = "insert"
    case update = "update"
  }

  /// The rejected record as the caller passed it.
  ///
  /// If the caller passed only a part of a record or only assignments, the value is the record as
  /// it would have been stored.
  public let record: Record
  /// The operation that was rejected.
  public let operation: Operation
  /// The name of the table.
  public let table: String
  /// The error that the check threw.
  public let underlying: any Error

  public var description: String {
    """
    cannot \(operation.rawValue) a record of \(quoted(table)): a check that the table declares in \
    Swift rejected the record: \(underlying)
    """
  }
}
