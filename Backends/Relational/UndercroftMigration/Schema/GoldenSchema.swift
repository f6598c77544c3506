import UndercroftCore
public import UndercroftSQLite

/// The SQL script of one version of a database: the statements that create its schema and the rows
/// that every new database begins with.
///
/// Equal databases produce equal text, byte for byte. The `CREATE` statements are written exactly
/// as the database stores them. The tables come first, then the rows, then the indexes, views and
/// triggers, in the order of their creation.
public struct GoldenSchema: Sendable, Hashable {
  /// The statements, each ending with a semicolon and a line break.
  public let text: String

  /// Creates a golden schema from the ``text`` of an earlier golden schema.
  public init(_ text: String) { self.text = text }

  /// Creates a golden schema from the main database of a connection.
  ///
  /// - Parameters:
  ///   - db: the connection to read from.
  ///   - version: the version to name in a comment at the top.
  ///   - includesRows: whether the rows are included. Pass `true` only for a database without user
  ///     data.
  ///   - includesDeclared: whether the indexes and full-text tables that were created for tables
  ///     declared in Swift are included. A migrator does not need these objects, because they are
  ///     created when such a table is first used.
  /// - Throws: ``StorageError/Code/notSupported`` for rows that cannot be read, such as the rows of
  ///   a contentless full-text table; ``StorageError/Code/corrupted`` for a schema that no
  ///   statement could have created.
  public init(
    of db: Connection, version: String? = nil, includesRows: Bool = true,
    includesDeclared: Bool = true
  ) throws {
    var script = SchemaScript(version: version)
    let objects = try Self.objects(of: db, includesDeclared: includesDeclared)
    try script.write(objects, of: db, includesRows: includesRows)
    text = script.text
  }

  /// Creates the statements of one table or view, with its indexes and triggers.
  ///
  /// - Parameters:
  ///   - db: the connection to read from.
  ///   - table: the name of the table or view in the main database.
  ///   - includesRows: whether the rows of the table are included.
  ///   - includesDeclared: whether the indexes are included that were created for a table declared
  ///     in Swift.
  /// - Throws: ``StorageError/Code/invalidKey`` if the schema has no such table or view, and the
  ///   errors of reading the schema and the rows.
  package init(
    of db: Connection, table: String, includesRows: Bool, includesDeclared: Bool
  ) throws {
    let objects = try Self.objects(of: db, includesDeclared: includesDeclared)
      .filter { $0.table.folded == table.folded }
    guard objects.contains(where: { $0.kind == .table || $0.kind == .view }) else {
      throw StorageError(
        .invalidKey,
        """
        cannot show the schema of \(quoted(table)): the database has no table or view with this \
        name
        """,
        suggestion: "check the spelling; a table that belongs to a virtual table is not shown")
    }
    var script = SchemaScript()
    try script.write(objects, of: db, includesRows: includesRows)
    text = script.text
  }

  private static func objects(
    of db: Connection, includesDeclared: Bool
  ) throws -> [SchemaObject] {
    let schema = try DatabaseSchema(of: db)
    return includesDeclared ? schema.objects : try schema.objectsWithoutDeclared(in: db)
  }

  /// The text as SQL, for a migrator or a connection.
  public var script: SQL { SQL(unchecked: text) }

  /// Creates an in-memory database with this schema and its rows.
  ///
  /// - Parameter setUp: adds the functions, collations and tokenizers that the schema needs, as
  ///   ``DatabaseOptions/setUp`` does.
  /// - Throws: ``StorageError/Code/misuse`` for invalid SQL,
  ///   ``StorageError/Code/constraintViolated`` for a row that violates a constraint, and the
  ///   errors of `setUp`.
  public func database(
    setUp: (@Sendable (Connection) throws -> Void)? = nil
  ) throws -> Database {
    try Database.inMemory(running: script, setUp: setUp)
  }
}
