import UndercroftCore

/// A write to one table by a statement, as interceptors receive it.
public struct TableWrite: Sendable, Hashable {
  /// The kinds of writes to a table.
  public enum Operation: Sendable, Hashable {
    case insert, update, delete
    /// The schema of the table is changed: the table itself, or one of its indexes or triggers.
    case create, alter, drop

    var isSchemaChange: Bool { self == .create || self == .alter || self == .drop }
  }

  /// The name of the table as in the schema.
  ///
  /// If the table is not in the main database, the name of its database precedes the name of the
  /// table: `archive.book`.
  public let table: String
  /// The kind of this write.
  public let operation: Operation
  /// The columns that an update sets; empty for every other write, which concerns all columns.
  public var columns: Set<String> { Set(columnNames.lazy.map(\.text)) }
  var columnNames: Set<ExactString> = []
  /// The name of the trigger that makes the write, or `nil` if the statement itself makes the
  /// write.
  public let trigger: String?
}
