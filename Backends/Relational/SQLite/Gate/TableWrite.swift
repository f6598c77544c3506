import UndercroftCore

/// What a statement does to one table: asked of interceptors before it is run.
public struct TableWrite: Sendable, Hashable {
  /// What is done.
  public enum Operation: Sendable, Hashable {
    case insert, update, delete
    /// The table, or an index or trigger on it, is made, altered or dropped.
    case create, alter, drop

    var isSchemaChange: Bool { self == .create || self == .alter || self == .drop }
  }

  /// The table as the schema spells it; with the database before it, as in `archive.book`, unless that is the main one.
  public let table: String
  /// What is done to it.
  public let operation: Operation
  /// The columns that an update sets; empty for everything else, which concerns all.
  public var columns: Set<String> { Set(columnNames.lazy.map(\.text)) }
  var columnNames: Set<ExactString> = []
  /// The trigger through which it is done, or `nil` for the statement itself.
  public let trigger: String?
}
