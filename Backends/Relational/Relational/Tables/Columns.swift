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

  private let columns: [Named]

  init(_ columns: [Named]) { self.columns = columns }

  func sql(of path: AnyKeyPath, in alias: String? = nil) -> SQL {
    if let name = columns.first(where: { $0.path == path })?.name {
      return alias.map { "\(identifier: $0).\(identifier: name)" } ?? "\(identifier: name)"
    }
    return SQL(
      failing: StorageError(
        .misuse, "cannot use \(path) in a condition: no column is declared for it",
        cure: "declare a column for the property", backend: "sqlite"))
  }
}
