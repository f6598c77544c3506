public import UndercroftFoundation

/// The functions that show the log of one format of stores: the changes that a store's files
/// contain in the order in which they were made.
public struct LogInspection: Sendable {
  /// A closure that receives a record, and returns whether it needs more records.
  public typealias Body = (InspectedLogRecord) throws -> Bool

  /// The names of the values that each record has in addition to its common properties, such as
  /// "pages".
  public let columns: [String]

  /// A closure that passes the records of the log of a store to a closure, oldest first, without
  /// changing the store.
  ///
  /// A store with an empty log has no records.
  public let forEachRecord: @Sendable (_ store: URL, _ body: Body) throws -> Void

  /// Creates the functions of a format.
  public init(
    columns: [String] = [],
    forEachRecord: @escaping @Sendable (_ store: URL, _ body: Body) throws -> Void
  ) {
    self.columns = columns
    self.forEachRecord = forEachRecord
  }
}

/// One change in the log of a store.
public struct InspectedLogRecord: Sendable, Equatable {
  /// The number of the record in the log, from 1.
  ///
  /// Several changes that were written together have the same number.
  public let number: Int
  /// The offset of the record in the log in bytes.
  public let offset: Int
  /// The size of the record in bytes, or the size of the value if the record sets one.
  public let byteCount: Int?
  /// The kind of the change, such as "set", "remove" or "commit".
  public let change: String
  /// The name of the changed entry, or `nil` if the change does not concern a single entry.
  public let name: String?
  /// The values of ``LogInspection/columns``.
  public let values: [ResultValue]

  /// Creates a record.
  public init(
    number: Int, offset: Int, byteCount: Int?, change: String, name: String? = nil,
    values: [ResultValue] = []
  ) {
    self.number = number
    self.offset = offset
    self.byteCount = byteCount
    self.change = change
    self.name = name
    self.values = values
  }
}
