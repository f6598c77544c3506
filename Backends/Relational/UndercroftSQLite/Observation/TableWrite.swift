import UndercroftCore

/// A write to one table by a statement, as interceptors receive it.
public struct TableWrite: Sendable, Hashable {
  /// The kind of write.
  public enum Operation: Sendable, Hashable {
    case insert, update, delete
    /// The schema of the table is changed: the table itself, or one of its indexes or triggers.
    case create, alter, drop

    var isSchemaChange: Bool { self == .create || self == .alter || self == .drop }
  }

  /// The name of the table as in the schema, preceded by the name of its database, as in
  /// `archive.book`, unless that is the main database.
  public let table: String
  /// The kind of this write.
  public let operation: Operation
  /// The columns that an update sets; empty for every other write, which concerns all columns.
  public var columns: Set<String> { Set(columnNames.lazy.map(\.text)) }
  var columnNames: Set<ExactString> = []
  /// The trigger that makes the write, or `nil` for the statement itself.
  public let trigger: String?
}
