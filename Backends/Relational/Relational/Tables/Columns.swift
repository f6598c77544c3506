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
  private let places: [String]

  init(_ names: [String], _ paths: [AnyKeyPath]) {
    places = names
    self.paths = Paths(Dictionary(zip(paths, names)) { first, _ in first })
  }

  private let paths: Paths

  func sql(of path: AnyKeyPath) -> SQL {
    guard let name = paths.names[path] else { return "NULL" }
    return "\(identifier: name)"
  }

  /// Key paths of literals hold nothing that could change.
  private struct Paths: @unchecked Sendable {
    let names: [AnyKeyPath: String]
    init(_ names: [AnyKeyPath: String]) { self.names = names }
  }
}
