import UndercroftCore
import UndercroftSQLite

/// A record that one table keeps, a row each.
public protocol TableRecord: Sendable {
  /// The table, declared once.
  static var table: Table<Self> { get }
}

/// One table: what is declared of it, and all that is done to its rows alone.
public struct Table<Record>: Sendable {
  /// The name in the schema.
  public let name: String
  let columns: [ColumnDefinition]
  let names: ColumnNames
  let decode: @Sendable (borrowing Row) throws -> Record
  private let binders: [ColumnBinder<Record>]

  /// Declares a table by what makes a record of its values, and the column of each in the same order.
  ///
  /// ```swift
  /// static let table = Table("book", Book.init,
  ///   Column("id", \.id).primaryKey(), Column("title", \.title))
  /// ```
  public init<each Value: ColumnValue>(
    _ name: String, _ make: @escaping @Sendable (repeat each Value) -> Record,
    _ column: repeat Column<Record, each Value>
  ) {
    self.name = name
    var definitions: [ColumnDefinition] = []
    var paths: [AnyKeyPath] = []
    for column in repeat each column {
      definitions.append(column.definition)
      paths.append(column.path)
    }
    columns = definitions
    names = ColumnNames(definitions.map(\.name), paths)
    decode = { row in
      var position = -1
      return make(repeat try Self.read((each Value).self, row, &position))
    }
    var binders: [ColumnBinder<Record>] = []
    for column in repeat each column {
      binders.append(.binder(of: column.path))
    }
    self.binders = binders
  }

  /// Binds the value of every column to the placeholder of its place.
  func bind(_ record: Record, to statement: borrowing Statement) throws {
    try withUnsafePointer(to: record) { record in
      for place in binders.indices { try binders[place].bind(record, statement, place + 1) }
    }
  }

  @inline(__always)
  private static func read<Value: ColumnValue>(
    _ type: Value.Type, _ row: borrowing Row, _ position: inout Int
  ) throws(StorageError) -> Value {
    position += 1
    return try row[position]
  }
}
