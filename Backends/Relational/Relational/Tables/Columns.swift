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

  private let columns: [(path: any AnyKeyPath & Sendable, name: String, sql: SQL)]

  init(_ columns: [Named]) {
    self.columns = columns.map { (path: $0.path, name: $0.name, sql: "\(identifier: $0.name)") }
  }

  /// The place of the column that is kept from this property.
  func place(of path: AnyKeyPath) -> Int? { columns.firstIndex { $0.path == path } }

  /// The name of the column that is kept from a property, or `nil` where none is.
  func name(of path: AnyKeyPath) -> String? { columns.first { $0.path == path }?.name }

  func sql(of path: AnyKeyPath, in alias: String? = nil) -> SQL {
    if let column = columns.first(where: { $0.path == path }) {
      return alias.map { "\(identifier: $0).\(column.sql)" } ?? column.sql
    }
    return SQL(
      failing: StorageError(
        .misuse, "cannot use \(path) in a condition: no column is declared for it",
        cure: "declare a column for the property", backend: "sqlite"))
  }
}
