public import UndercroftFoundation

/// The functions that show and compare the schemas of one format of databases.
public struct SchemaInspection: Sendable {
  /// The parts of a database that the text of its schema contains.
  public struct Parts: Sendable, Equatable {
    /// Whether the text also contains the rows of the tables.
    public var includesRows = false
    /// Whether the text also contains the indexes and full-text tables of declared tables.
    public var includesDeclared = true
    /// The name of the only table or view that the text contains, with its indexes and triggers, or
    /// `nil` for the whole schema.
    public var table: String?

    /// Creates the default parts.
    public init() {}
  }

  /// A closure that returns the SQL statements that create the database at a location.
  ///
  /// If the database has no table with the name in the parts, the closure throws
  /// ``StorageError/Code/invalidKey``.
  public let text: @Sendable (_ database: URL, _ parts: Parts) throws -> String

  /// A closure that returns the differences between the schema of a database and that of another
  /// database or SQL script, or `nil` if there are none.
  public let difference: @Sendable (_ database: URL, _ other: URL) throws -> String?

  /// Creates the functions of a format.
  public init(
    text: @escaping @Sendable (_ database: URL, _ parts: Parts) throws -> String,
    difference: @escaping @Sendable (_ database: URL, _ other: URL) throws -> String?
  ) {
    self.text = text
    self.difference = difference
  }
}
