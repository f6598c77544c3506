import UndercroftCore
import UndercroftSQLite

/// The columns of a table by the properties of its records: `$0.title`.
@dynamicMemberLookup
public struct Columns<Record>: Sendable {
  let names: ColumnNames
  /// What the table is called in this query, where there are several.
  var alias: String?
  /// The columns with the name of their table before, so that a query within another one can speak of both.
  var qualified: [SQL]?

  /// The column that is kept from this property.
  public subscript<Value>(dynamicMember path: KeyPath<Record, Value>) -> SQLExpression<Value> {
    // By where the property lies, if it is stored: comparing key paths is slow.
    let place = MemoryLayout<Record>.offset(of: path).flatMap { names.place(at: $0, Value.self) }
    if let qualified, let place = place ?? names.place(of: path) {
      return SQLExpression(qualified[place], .atom)
    }
    return SQLExpression(names.sql(place, of: path, in: alias), .atom)
  }
}

/// The names of a table's columns by the properties of its records.
struct ColumnNames: Sendable {
  struct Named: Sendable {
    let path: any AnyKeyPath & Sendable
    /// Where the property lies in the record, if it is stored there, and its type.
    let offset: Int?
    let type: ObjectIdentifier
    let name: String
    // The quoted name is made but once: conditions are written on every call.
    let sql: SQL

    init<Record, Value>(_ column: Column<Record, Value>, at offset: Int?) {
      (path, type, self.offset) = (column.path, ObjectIdentifier(Value.self), offset)
      name = column.definition.name
      sql = "\(identifier: name)"
    }
  }

  private let columns: [Named]

  init(_ columns: [Named]) { self.columns = columns }

  /// The place of the column that is kept from the property of this type that lies there.
  func place<Value>(at offset: Int, _ type: Value.Type) -> Int? {
    let type = ObjectIdentifier(type)
    for place in columns.indices where columns[place].offset == offset {
      if columns[place].type == type { return place }
    }
    return nil
  }

  /// The place of the column that is kept from a property, or `nil` where none is.
  func place(of path: AnyKeyPath) -> Int? { columns.firstIndex { $0.path == path } }

  /// The names of two columns that are kept from the same property, if there are any.
  var twins: (String, String)? {
    for (place, column) in columns.enumerated() {
      if let twin = columns[..<place].first(where: { $0.path == column.path }) {
        return (twin.name, column.name)
      }
    }
    return nil
  }

  /// A property as messages name it: by its column, or else by its key path.
  ///
  /// The key path of a computed property has an address in the place of a name, which says nothing.
  func description(of path: AnyKeyPath) -> String {
    if let name = name(of: path) { return quoted(name) }
    return "\(path)".replacing(/<computed 0x[0-9a-f]+ \((.*)\)>/) { match in
      "<a computed property of type \(match.1)>"
    }
  }

  /// The name of that column.
  func name(of path: AnyKeyPath) -> String? { place(of: path).map { columns[$0].name } }

  func sql(_ place: Int?, of path: AnyKeyPath, in alias: String? = nil) -> SQL {
    if let place = place ?? self.place(of: path) {
      let column = columns[place].sql
      return alias.map { "\(identifier: $0).\(column)" } ?? column
    }
    return SQL(
      failing: StorageError(
        .misuse, "cannot use \(description(of: path)) in a condition: no column is declared for it",
        cure: "declare a column for the property", backend: "sqlite"))
  }
}
