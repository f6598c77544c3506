import UndercroftCore
import UndercroftSQLite

/// The columns that a query selects, and the closure that decodes the values of a row.
struct Selected<Element> {
  private let columns: [SQL]
  let tables: [TableDefinition]
  let decode: @Sendable (borrowing Row) throws -> Element

  private init(
    _ columns: [SQL], _ tables: [TableDefinition],
    _ decode: @escaping @Sendable (borrowing Row) throws -> Element
  ) {
    (self.columns, self.tables, self.decode) = (columns, tables, decode)
  }

  /// Creates a selection that decodes the values as a tuple.
  init<each Value: SQLReadable & Sendable>(_ expression: repeat SQLExpression<each Value>)
  where Element == (repeat each Value) {
    var (columns, tables): ([SQL], [TableDefinition]) = ([], [])
    for expression in repeat each expression {
      columns.append(expression.sql)
      tables += expression.tables
    }
    self.init(columns, tables) { row in
      var position = -1
      return (repeat try Self.read((each Value).self, row, &position))
    }
  }

  /// Creates a selection that passes the values of a row to `make`, which creates the element.
  init<each Value: SQLReadable & Sendable>(
    as make: @escaping @Sendable (repeat each Value) -> Element,
    _ expression: repeat SQLExpression<each Value>
  ) where Element: SendableMetatype {
    var (columns, tables): ([SQL], [TableDefinition]) = ([], [])
    for expression in repeat each expression {
      columns.append(expression.sql)
      tables += expression.tables
    }
    self.init(columns, tables) { row in
      var position = -1
      return make(repeat try Self.read((each Value).self, row, &position))
    }
  }

  init(_ expression: SQLExpression<Element>) where Element: SQLReadable & Sendable {
    self.init([expression.sql], expression.tables) { row in try row[0] }
  }

  @inline(__always)
  private static func read<Value: SQLReadable & Sendable>(
    _ type: Value.Type, _ row: borrowing Row, _ position: inout Int
  ) throws -> Value {
    position += 1
    return try row[position]
  }

  func projection(
    _ tables: [TableDefinition], _ statement: (SQL) -> SelectStatement
  ) -> Projection<Element> {
    let list: SQL =
      columns.isEmpty
      ? SQL(failing: .emptySelection(from: tables.map(\.name))) : columns.joined(separator: ", ")
    return Projection(statement(list), reading: tables + self.tables, decode)
  }
}
