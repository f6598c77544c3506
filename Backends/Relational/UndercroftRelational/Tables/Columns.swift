import UndercroftCore
import UndercroftSQLite

/// The columns of a table, accessed through the properties of its records: `$0.title`.
@dynamicMemberLookup
public struct Columns<Record>: Sendable {
  let names: ColumnNames
  /// The alias that qualifies the columns, such as the alias of a table in a join, or `nil` if
  /// there is no alias.
  var alias: String?
  /// The columns qualified by the name of their table, or `nil` to qualify the columns by `alias`.
  ///
  /// A column of the outer query can have the same name as a column of a subquery. In the subquery,
  /// the name of the table distinguishes these two columns.
  var qualified: [SQL]?

  /// The column that stores a property, as an expression in SQL.
  public subscript<Value>(dynamicMember path: KeyPath<Record, Value>) -> SQLExpression<Value> {
    let columnIndex = columnIndex(of: path)
    if let qualified, let columnIndex { return SQLExpression(qualified[columnIndex], .atom) }
    return SQLExpression(names.sql(columnIndex, of: path, in: alias), .atom)
  }

  /// Returns the index of the column that stores a property, or `nil` if there is no such column.
  func columnIndex<Value>(of path: KeyPath<Record, Value>) -> Int? {
    // Search by the offset of a stored property first: comparing key paths is slow.
    MemoryLayout<Record>.offset(of: path).flatMap { names.columnIndex(at: $0, Value.self) }
      ?? names.columnIndex(of: path)
  }
}

/// The names of a table's columns, looked up by the properties of the table's records.
struct ColumnNames: Sendable {
  struct Named: Sendable {
    let path: any AnyKeyPath & Sendable
    /// The offset of the property in bytes within the record, or `nil` for a computed property.
    let offset: Int?
    let type: ObjectIdentifier
    let name: String
    // The quoted name is created only once, because every call of a query writes its conditions
    // again.
    let sql: SQL

    init<Record, Value>(_ column: Column<Record, Value>, at offset: Int?) {
      (path, type, self.offset) = (column.path, ObjectIdentifier(Value.self), offset)
      name = column.definition.name
      sql = "\(identifier: name)"
    }
  }

  private let columns: [Named]

  init(_ columns: [Named]) { self.columns = columns }

  /// Returns the index of the column that stores the property with this offset and type, or `nil`
  /// if there is no such column.
  func columnIndex<Value>(at offset: Int, _ type: Value.Type) -> Int? {
    let type = ObjectIdentifier(type)
    for columnIndex in columns.indices where columns[columnIndex].offset == offset {
      if columns[columnIndex].type == type { return columnIndex }
    }
    return nil
  }

  /// Returns the index of the column that stores a property, or `nil` if there is no such column.
  func columnIndex(of path: AnyKeyPath) -> Int? { columns.firstIndex { $0.path == path } }

  /// The names of two columns that store the same property, or `nil` if all properties differ.
  var duplicate: (String, String)? {
    for (columnIndex, column) in columns.enumerated() {
      if let first = columns[..<columnIndex].first(where: { $0.path == column.path }) {
        return (first.name, column.name)
      }
    }
    return nil
  }

  /// Returns the description of a property for error messages:
  /// its column name, or its key path if it has no column.
  ///
  /// The key path of a computed property contains an address instead
  /// of a name. The address is replaced by the type of the property.
  func description(of path: AnyKeyPath) -> String {
    if let name = name(of: path) { return quoted(name) }
    return "\(path)".replacing(/<computed 0x[0-9a-f]+ \((.*)\)>/) { match in
      "<a computed property of type \(match.1)>"
    }
  }

  /// Returns the name of the column that stores a property, or `nil` if there is no such column.
  func name(of path: AnyKeyPath) -> String? { columnIndex(of: path).map { columns[$0].name } }

  func sql(_ columnIndex: Int?, of path: AnyKeyPath, in alias: String? = nil) -> SQL {
    if let columnIndex {
      let column = columns[columnIndex].sql
      return alias.map { "\(identifier: $0).\(column)" } ?? column
    }
    return SQL(
      failing: StorageError.table(
        """
        cannot use \(description(of: path)) in a query: no column is declared for this property
        """,
        suggestion: StorageError.columnSuggestion))
  }
}
