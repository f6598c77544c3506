import UndercroftCore
import UndercroftSQLite

/// Which properties of an object are which columns of which tables.
public struct RecordMapping<Object> {
  /// What an object has in one table.
  public struct Part {
    let table: TableDefinition
    let fields: [(name: String, field: MappedProperty<Object>)]
    let failure: StorageError?
  }

  private let parts: [Part]

  /// Takes the parts that an object has in its tables.
  public init(_ parts: Part...) { self.parts = parts }

  /// The properties by the names of their columns in one table; none where the object has no part in it.
  ///
  /// A table of the same name counts as the same, however often it was declared.
  func fields(of table: TableDefinition) throws -> [(name: String, field: MappedProperty<Object>)] {
    let own = parts.filter { $0.table === table || SQLName.isSame($0.table.name, table.name) }
    if let failure = own.compactMap(\.failure).first { throw failure }
    return own.flatMap(\.fields)
  }

  /// The properties by names that mean one property alone.
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
  /// Declares what an object has in a table: `.part(of: Book.table, Field(\.title, as: \.title))`.
  public static func part<Record>(of table: Table<Record>, _ fields: Field<Object, Record>...)
    -> Self
  {
    var (named, failure): ([(String, MappedProperty<Object>)], StorageError?) = ([], nil)
    for field in fields {
      if let place = table.codec.names.place(of: field.column) {
        named.append((table.definition.columns[place].name, field.property))
      } else {
        failure = StorageError(
          .misuse,
          "cannot map a record: the table \(quoted(table.name)) has no column for \(field.column)",
          cure: "declare a column for the property", backend: "sqlite")
      }
    }
    return Self(table: table.definition, fields: named, failure: failure)
  }
}

/// One property of an object, and the property of a table's record whose column it is.
public struct Field<Object, Record> {
  let property: MappedProperty<Object>
  let column: AnyKeyPath

  /// Declares that a property is kept in the column of another: `Field(\.author, as: \.name)`.
  public init<Value: ColumnValue>(
    _ property: WritableKeyPath<Object, Value>, as column: KeyPath<Record, Value>
  ) {
    self.property = MappedProperty(property)
    self.column = column
  }

  /// Declares it for a property that may be without a value although the column may not.
  public init<Value: ColumnValue>(
    _ property: WritableKeyPath<Object, Value?>, as column: KeyPath<Record, Value>
  ) {
    self.property = MappedProperty(property)
    self.column = column
  }

  /// Declares it for a property that must have a value although the column need not.
  public init<Value: ColumnValue>(
    _ property: WritableKeyPath<Object, Value>, as column: KeyPath<Record, Value?>
  ) {
    self.property = MappedProperty(property)
    self.column = column
  }
}

/// How a property is shown and taken.
struct MappedProperty<Object> {
  let path: AnyKeyPath
  let value: (Object) throws -> SQLValue
  let take: (KeptColumn, inout Object) throws -> Void

  init<Value: ColumnValue>(_ path: WritableKeyPath<Object, Value>) {
    self.path = path
    value = { object in try object[keyPath: path].sqlValue() }
    take = { column, object in object[keyPath: path] = try column.read() }
  }
}
