import UndercroftCore
import UndercroftSQLite

/// A record that is stored as one row of one table.
public protocol TableRecord: Sendable {
  /// The table of the records.
  ///
  /// Declare it as `static let`: every connection compares each
  /// declaration with the file when it first uses it.
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
/// The table is created in the file at its first use. Columns that are declared later are added.
/// A stored property is read directly from memory, a computed property through its key path.
public struct Table<Record>: Sendable {
  /// The declaration of the table, independent of the type of its records.
  public let definition: TableDefinition
  let codec: RecordCodec<Record>
  let statements: TableStatements

  /// Creates the declaration of a table.
  ///
  /// - Parameters:
  ///   - name: The name of the table in the schema.
  ///   - make: Creates a record from one value for each column.
  ///   - column: The columns, in the order of the parameters of `make`.
  public init<each Value: ColumnValue>(
    _ name: String, _ make: @escaping @Sendable (repeat each Value) -> Record,
    _ column: repeat Column<Record, each Value>
  ) {
    var columns: [ColumnDefinition] = []
    for column in repeat each column { columns.append(column.definition) }
    let codec = RecordCodec(make, repeat each column)
    var constraints = TableConstraints()
    if let (first, second) = codec.names.duplicate {
      constraints.failure = StorageError.table(
        "cannot use the table \(quoted(name)): its columns \(quoted(first)) and \(quoted(second)) store the same property",
        suggestion: "declare a column for each property")
    }
    self.init(TableDefinition(name, columns, constraints), codec)
  }

  init(_ definition: TableDefinition, _ codec: RecordCodec<Record>) {
    (self.definition, self.codec) = (definition, codec.naming(definition))
    statements = TableStatements(definition)
  }

  /// The name of the table in the schema.
  public var name: String { definition.name }
}
