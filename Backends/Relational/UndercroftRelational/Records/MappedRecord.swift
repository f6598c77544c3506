import UndercroftCore
import UndercroftSQLite

/// A virtual record that declares the table and the column that store each property.
///
/// ```swift
/// final class BookView: MappedRecord {
///   var title = ""
///   var author = ""
///
///   static var mapping: RecordMapping<BookView> {
///     RecordMapping(
///       .part(of: Book.table, MappedField(\.title, as: \.title)),
///       .part(of: Author.table, MappedField(\.author, as: \.name)))
///   }
/// }
/// ```
///
/// A class must be `final`, and must write its name instead of `Self`, as above. The mapping is a
/// computed property, so that the mapping can use properties that are isolated to an actor:
/// `extension BookView: @MainActor MappedRecord`.
public protocol MappedRecord: VirtualRecord {
  /// The mapping of the record's properties to columns.
  static var mapping: RecordMapping<Self> { get }
}

extension MappedRecord {
  /// Returns the values of all mapped properties, keyed by column name.
  ///
  /// A column name, such as `id`, is omitted if several properties are mapped to columns of this
  /// name.
  public func columnValues() throws -> ColumnValues {
    let names = Self.mapping.names
    var values = ColumnValues()
    for (name, field) in names { values[name.text] = try field.value(self) }
    return values
  }

  public mutating func assign(_ values: ColumnValues) throws {
    let names = Self.mapping.names
    for (name, value) in values.values {
      try names[name]?.assign(OwnedColumn(name.text, value), &self)
    }
  }

  public func values(for table: TableDefinition) throws -> ColumnValues {
    var values = ColumnValues()
    for (name, field) in try Self.mapping.fields(of: table) {
      values[name] = try field.value(self)
    }
    return values
  }

  public mutating func assign(_ values: ColumnValues, from table: TableDefinition) throws {
    for (name, field) in try Self.mapping.fields(of: table) {
      guard let value = values[name] else { continue }
      try field.assign(OwnedColumn(name, value), &self)
    }
  }
}
