public import UndercroftSQLite

/// The frozen SQL of one version of a database: what makes it from nothing, with the rows that every new one begins with.
///
/// The same database gives the same text, byte by byte. Its statements are those that the database keeps, as they were written: tables, then
/// rows, then indexes, views and triggers, each in the order in which they were made.
public struct GoldenSchema: Sendable, Hashable {
  /// The statements, each ending with a semicolon and a line break.
  public let text: String

  /// Takes a text that was written before.
  public init(_ text: String) { self.text = text }

  /// Writes the schema of the main database.
  ///
  /// - Parameters:
  ///   - version: named in a comment at the top.
  ///   - includesRows: whether the rows are written as well: right for a database that no one has used yet.
  ///   - includesDeclared: whether the indexes and full-text tables that declared tables created are written as well. A
  ///     migrator needs none of them, because declared tables create them at their first use.
  /// - Throws: ``StorageError/Code/notSupported`` for rows that cannot be read, such as those of a contentless full-text table;
  ///   ``StorageError/Code/corrupted`` for a schema that no statement could have made.
  public init(
    of db: borrowing Connection, version: String? = nil, includesRows: Bool = true,
    includesDeclared: Bool = true
  ) throws {
    var script = SchemaScript(version: version)
    let schema = try DatabaseSchema(of: db)
    let objects = includesDeclared ? schema.objects : try schema.objectsWithoutDeclared(in: db)
    try script.write(objects, of: db, includesRows: includesRows)
    text = script.text
  }

  /// The text as what a migrator takes and a connection runs.
  public var script: SQL { SQL(unchecked: text) }

  /// Makes a database in memory that holds all of it.
  ///
  /// - Parameter setUp: adds the functions, collations and tokenizers that it needs, as ``DatabaseOptions/setUp`` does.
  public func database(
    setUp: (@Sendable (borrowing Connection) throws -> Void)? = nil
  ) throws -> Database {
    try Database.inMemory(holding: script, setUp: setUp)
  }
}
