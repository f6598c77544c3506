public import UndercroftCore

/// An operation, a conflict or a state of a row in the history of synchronisation.
public struct InspectedSyncEntry: Sendable, Equatable {
  /// The kind of an entry.
  public enum Kind: String, Sendable, Equatable {
    /// A local change that the server has not confirmed.
    case operation = "operation"
    /// A change that a server has processed.
    case processed = "processed"
    /// The row that the server had when the device pulled it last.
    case pulled = "pulled"
    /// The row as a server stores it.
    case stored = "stored"
    /// The last write of a column.
    case write = "write"
    /// The row that the application sees.
    case visible = "visible"
    /// A row of the server that the database cannot contain at present.
    case blocked = "blocked"
    /// A change that lost against a concurrent one, with the lost values.
    case conflict = "conflict"
  }

  /// The kind of the entry.
  public let kind: Kind
  /// The scope to which the row belongs.
  public let scope: String
  /// The table of the row.
  public let table: String
  /// The identifier of the row, or `nil` if the entry concerns several rows.
  public let row: String?
  /// The identifier of the operation or conflict, or the name of the written column.
  public var identifier: String?
  /// The kind of the change or conflict, such as "insert".
  public var change: String?
  /// The progress of the operation, or whether the conflict is open.
  public var state: String?
  /// The version of the scope at the change.
  public var version: Int64?
  /// The time of the change in milliseconds since 1970.
  public var time: Int64?
  /// The device or account that made the change.
  public var author: String?
  /// The number of attempts to send the operation.
  public var attempts: Int64?
  /// The size of the values in bytes, as they are sent.
  public var byteCount: Int64?
  /// The reason for a conflict, or further facts.
  public var message: String?
  /// The values of columns, or `nil` if the entry has none, such as for a row that does not exist.
  public var values: [ExactString: InspectedValue]?

  /// Creates an entry for a row.
  public init(_ kind: Kind, scope: String, table: String, row: String?) {
    self.kind = kind
    self.scope = scope
    self.table = table
    self.row = row
  }
}
