import UndercroftCore
import UndercroftSQLite

/// A mapping of the properties of an object to columns of one or more tables.
public struct RecordMapping<Object> {
  /// The properties of an object that are mapped to columns of one table.
  public struct Part {
    let table: TableDefinition
    let fields: [(name: String, field: MappedProperty<Object>)]
    let failure: StorageError?
  }

  private let parts: [Part]

  /// Creates a mapping from its parts, usually one for each table.
  public init(_ parts: Part...) { self.parts = parts }

  /// Returns the properties of the object that are mapped to columns of a table, each with the name
  /// of its column.
  ///
  /// If the mapping has no part for the table, the result is empty.
  ///
  /// Tables with the same name count as the same table, even if they are declared several times.
  func fields(of table: TableDefinition) throws -> [(name: String, field: MappedProperty<Object>)] {
    let own = parts.filter { $0.table === table || SQLName.isSame($0.table.name, table.name) }
    if let failure = own.compactMap(\.failure).first { throw failure }
    return own.flatMap(\.fields)
  }

  /// The mapped properties, keyed by column name.
  ///
  /// A column name that is mapped to several properties is omitted.
  var names: [ExactString: MappedProperty<Object>] {
    var (names, ambiguous): ([ExactString: MappedProperty<Object>], Set<ExactString>) = ([:], [])
    for (name, field) in parts.flatMap(\.fields) {
      let name = name.exact
      if let known = names[name], known.path != field.path { ambiguous.insert(name) }
      names[name] = field
    }
    for name in ambiguous { names[name] = nil }
    return names
  }
}

extension RecordMapping.Part {
  /// Returns a part that maps properties of an object to columns of a table:
  /// `.part(of: Book.table, MappedField(\.title, as: \.title))`.
  public static func part<Record>(of table: Table<Record>, _ fields: MappedField<Object, Record>...)
    -> Self
  {
    var (named, failure): ([(String, MappedProperty<Object>)], StorageError?) = ([], nil)
    for field in fields {
      if let columnIndex = table.codec.names.columnIndex(of: field.column) {
        named.append((table.definition.columns[columnIndex].name, field.property))
      } else {
        failure = StorageError.table(
          """
          cannot map \(Object.self) to the table \(quoted(table.name)): no column is declared for \
          \(table.codec.names.description(of: field.column))
          """,
          suggestion: StorageError.columnSuggestion)
      }
    }
    return Self(table: table.definition, fields: named, failure: failure)
  }
}

/// A mapping of one property of an object to a column of a table.
///
/// The column is identified by the property of the table's record that the column stores.
public struct MappedField<Object, Record> {
  let property: MappedProperty<Object>
  let column: AnyKeyPath

  /// Creates a mapping of a property of the object to the column that stores a property of the
  /// record: `MappedField(\.author, as: \.name)`.
  public init<Value: ColumnValue>(
    _ property: WritableKeyPath<Object, Value>, as column: KeyPath<Record, Value>
  ) {
    self.property = MappedProperty(property)
    self.column = column
  }

  /// Creates a mapping of an optional property of the object to a non-optional column.
  public init<Value: ColumnValue>(
    _ property: WritableKeyPath<Object, Value?>, as column: KeyPath<Record, Value>
  ) {
    self.property = MappedProperty(property)
    self.column = column
  }

  /// Creates a mapping of a non-optional property of the object to an optional column.
  public init<Value: ColumnValue>(
    _ property: WritableKeyPath<Object, Value>, as column: KeyPath<Record, Value?>
  ) {
    self.property = MappedProperty(property)
    self.column = column
  }
}

/// The closures that read and write a mapped property as a column value.
struct MappedProperty<Object> {
  let path: AnyKeyPath
  let value: (Object) throws -> SQLValue
  let assign: (OwnedColumn, inout Object) throws -> Void

  init<Value: ColumnValue>(_ path: WritableKeyPath<Object, Value>) {
    self.path = path
    value = { object in try object[keyPath: path].sqlValue() }
    assign = { column, object in object[keyPath: path] = try column.read() }
  }
}
