import UndercroftCore
import UndercroftSQLite

/// The columns of a table by the properties of its records: `$0.title`.
@dynamicMemberLookup
public struct Columns<Record>: Sendable {
  let names: ColumnNames

  /// The column that is kept from this property.
  public subscript<Value>(dynamicMember path: KeyPath<Record, Value>) -> Expression<Value> {
    Expression(names.sql(of: path))
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

  func sql(of path: AnyKeyPath) -> SQL {
    if let place = place(of: path) { return columns[place].sql }
    return SQL(
      failing: StorageError(
        .misuse, "cannot use \(path) in a condition: no column is declared for it",
        cure: "declare a column for the property", backend: "sqlite"))
  }
}
