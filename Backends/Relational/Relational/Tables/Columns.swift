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

  private let columns: [(path: any AnyKeyPath & Sendable, sql: SQL)]

  init(_ columns: [Named]) {
    self.columns = columns.map { (path: $0.path, sql: "\(identifier: $0.name)") }
  }

  /// The place of the column that is kept from this property.
  func place(of path: AnyKeyPath) -> Int? { columns.firstIndex { $0.path == path } }

  func sql(of path: AnyKeyPath) -> SQL {
    if let column = columns.first(where: { $0.path == path }) { return column.sql }
    return SQL(
      failing: StorageError(
        .misuse, "cannot use \(path) in a condition: no column is declared for it",
        cure: "declare a column for the property", backend: "sqlite"))
  }
}
