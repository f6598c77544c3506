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
///
/// Sendable although key paths are not declared to be: these were given by columns, which take none that is not.
struct ColumnNames: @unchecked Sendable {
  private let names: [AnyKeyPath: String]

  init(_ names: [AnyKeyPath: String]) { self.names = names }

  func sql(of path: AnyKeyPath) -> SQL {
    if let name = names[path] { return "\(identifier: name)" }
    return SQL(
      failing: StorageError(
        .misuse, "cannot use \(path) in a condition: no column is declared for it",
        cure: "declare a column for the property", backend: "sqlite"))
  }
}
