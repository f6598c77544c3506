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

  private let columns: [Named]

  init(_ columns: [Named]) { self.columns = columns }

  /// The name of the column that is declared for a property, or `nil`.
  func name(of path: AnyKeyPath) -> String? { columns.first { $0.path == path }?.name }

  func sql(of path: AnyKeyPath) -> SQL {
    if let name = columns.first(where: { $0.path == path })?.name { return "\(identifier: name)" }
    return SQL(
      failing: StorageError(
        .misuse, "cannot use \(path) in a condition: no column is declared for it",
        cure: "declare a column for the property", backend: "sqlite"))
  }
}
