public import UndercroftCore
public import UndercroftSQLite

/// A type whose values are stored as the rows of one table.
public protocol TableRecord: Sendable {
  /// The table of the records.
  ///
  /// Declare this property as `static let`: every connection compares each ``TableDefinition``
  /// object with the file once, and would compare the result of a computed property again on every
  /// use.
  static var table: Table<Self> { get }
}

/// The declaration of one table, and the operations on its rows.
///
/// ```swift
/// struct Book: TableRecord {
///   var id: Int64?
///   var title: String
///
///   static let table = Table("book", Book.init,
///     Column("id", \.id).primaryKey(),
///     Column("title", \.title).indexed())
/// }
/// ```
///
/// A writing connection that uses the table for the first time creates the table in the file, or
/// adds the columns that were declared later.
///
/// When a record is written, the value of a stored property is read directly from memory, and the
/// value of a computed property is read through its key path.
public struct Table<Record>: Sendable {
  /// The declaration of the table, independent of the type of its records.
  public let definition: TableDefinition
  @usableFromInline
  let codec: RecordCodec<Record>
  let statements: TableStatements

  /// Creates the declaration of a table with any number of columns.
  ///
  /// The overloads for up to twelve columns decode rows faster: the compiler does not specialise
  /// functions that are generic over a parameter pack. (Swift 6.3)
  ///
  /// - Parameters:
  ///   - name: The name of the table in the schema.
  ///   - make: A closure that creates a record from one value for each column.
  ///   - column: The columns, in the order of the parameters of `make`.
  public init<each Value: ColumnValue>(
    _ name: String, _ make: @escaping @Sendable (repeat each Value) -> Record,
    _ column: repeat Column<Record, each Value>
  ) {
    self.init(
      name,
      decode: { (columns) throws(StorageError) in
        make(repeat try columns.read((each Value).self))
      }, repeat each column)
  }

  @usableFromInline
  init<each Value: ColumnValue>(
    _ name: String,
    decode: @escaping @Sendable (inout ColumnCursor) throws(StorageError) -> Record,
    _ column: repeat Column<Record, each Value>
  ) {
    var columns: [ColumnDefinition] = []
    for column in repeat each column { columns.append(column.definition) }
    let codec = RecordCodec(decode, repeat each column)
    var constraints = TableConstraints()
    if let (first, second) = codec.names.duplicate {
      constraints.failure = StorageError.table(
        """
        cannot use the table \(quoted(name)): its columns \(quoted(first)) and \(quoted(second)) \
        store the same property
        """,
        suggestion: "declare only one column for each property")
    }
    self.init(TableDefinition(name, columns, constraints), codec)
  }

  init(_ definition: TableDefinition, _ codec: RecordCodec<Record>) {
    (self.definition, self.codec) = (definition, codec.naming(definition))
    statements = TableStatements(definition)
  }

  /// The name of the table in the schema.
  public var name: String { definition.name }

  /// Returns a declaration of another table with the given name, and with the same columns,
  /// constraints and indexes as this table.
  ///
  /// Store the result in a `static let`. Every connection compares each declaration object with the
  /// file once, and would compare the result of each further call again.
  public func named(_ name: String) -> Table<Record> {
    Table(definition.named(name), codec)
  }

  // MARK: Reading

  /// Returns all records of the table.
  ///
  /// The records are in the order of the primary key. If the table has no primary key, the order is
  /// not specified.
  @inlinable
  public func fetchAll(in db: Connection) throws -> [Record] {
    try db.fetchAll(try selectAll(in: db)) { row in try decode(row) }
  }

  @usableFromInline
  func selectAll(in db: Connection) throws -> SQL { try ready(definition.reads.all, in: db) }

  /// Decodes a record from a row that has exactly the columns of the table, in declaration order.
  @inlinable
  func decode(_ row: borrowing Row) throws(StorageError) -> Record { try codec.decode(row, 0) }

  /// Prepares the table for `sql`, a query that reads only this table, and returns the query to
  /// run.
  ///
  /// On a writing connection, creates the table or adds its missing columns. A read-only connection
  /// cannot change the schema. If such a connection finds the table incomplete, the result begins
  /// with a common table expression through which a missing table is read as empty, and a missing
  /// column as its default value.
  func ready(_ sql: SQL, in db: Connection) throws -> SQL {
    if definition.isVerified(in: db) { return sql }
    if db.isWriter { try definition.ensureSchema(in: db) }
    guard let substitute = try definition.readSubstitute(in: db) else { return sql }
    return "WITH \(substitute) \(sql)"
  }
}
