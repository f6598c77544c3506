import UndercroftCore
import UndercroftSQLite

/// The columns of a table by the properties of its records: `$0.title`.
@dynamicMemberLookup
public struct Columns<Record>: Sendable {
  let names: ColumnNames
  /// What the table is called in this query, where there are several.
  var alias: String?

  /// The column that is kept from this property.
  public subscript<Value>(dynamicMember path: KeyPath<Record, Value>) -> SQLExpression<Value> {
    SQLExpression(names.sql(of: path, in: alias), .atom)
  }
}

/// The names of a table's columns by the properties of its records.
struct ColumnNames: Sendable {
  typealias Named = (path: any AnyKeyPath & Sendable, name: String)

  // The quoted name is made but once: conditions are written on every call.
  private let columns: [(path: any AnyKeyPath & Sendable, name: String, sql: SQL)]

  init(_ columns: [Named]) {
    self.columns = columns.map { ($0.path, $0.name, "\(identifier: $0.name)") }
  }

  /// The place of the column that is kept from a property, or `nil` where none is.
  func place(of path: AnyKeyPath) -> Int? { columns.firstIndex { $0.path == path } }

  /// The name of that column.
  func name(of path: AnyKeyPath) -> String? { place(of: path).map { columns[$0].name } }

  func sql(of path: AnyKeyPath, in alias: String? = nil) -> SQL {
    if let place = place(of: path) {
      let column = columns[place].sql
      return alias.map { "\(identifier: $0).\(column)" } ?? column
    }
    return SQL(
      failing: StorageError(
        .misuse, "cannot use \(path) in a condition: no column is declared for it",
        cure: "declare a column for the property", backend: "sqlite"))
  }
}
