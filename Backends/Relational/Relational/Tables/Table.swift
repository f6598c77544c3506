import UndercroftCore
import UndercroftSQLite

/// A record that one table keeps, a row each.
public protocol TableRecord: Sendable {
  /// The table: `static let`, since each declaration that is made is compared with the file anew.
  static var table: Table<Self> { get }
}

/// One table: what is declared of it, and all that is done to its rows alone.
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
/// It is made at its first use, and completed by columns that were declared later. A property that is stored is read where it lies; any
/// other through its key path.
public struct Table<Record>: Sendable {
  /// What is declared of it, whatever its records.
  public let definition: TableDefinition
  let codec: RecordCodec<Record>
  let statements: TableStatements

  /// Declares a table by what makes a record of its values, and a column for each of them in the same order.
  public init<each Value: ColumnValue>(
    _ name: String, _ make: @escaping @Sendable (repeat each Value) -> Record,
    _ column: repeat Column<Record, each Value>
  ) {
    var columns: [ColumnDefinition] = []
    for column in repeat each column { columns.append(column.definition) }
    let codec = RecordCodec(make, repeat each column)
    var constraints = TableConstraints()
    if let (first, second) = codec.names.twins {
      constraints.failure = StorageError(
        .misuse,
        "cannot use the table \(quoted(name)): its columns \(quoted(first)) and \(quoted(second)) are of the same property",
        cure: "declare a column for each property", backend: "sqlite")
    }
    self.init(TableDefinition(name, columns, constraints), codec)
  }

  init(_ definition: TableDefinition, _ codec: RecordCodec<Record>) {
    (self.definition, self.codec) = (definition, codec.naming(definition))
    statements = TableStatements(definition)
  }

  /// The name in the schema.
  public var name: String { definition.name }
}
