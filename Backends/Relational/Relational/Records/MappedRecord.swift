import UndercroftCore
import UndercroftSQLite

/// A virtual record that declares which of its properties is which column of which table.
///
/// ```swift
/// final class BookView: MappedRecord {
///   var title = ""
///   var author = ""
///
///   static var mapping: RecordMapping<BookView> {
///     RecordMapping(
///       .part(of: Book.table, Field(\.title, as: \.title)),
///       .part(of: Author.table, Field(\.author, as: \.name)))
///   }
/// }
/// ```
///
/// A class that is no `final` one names itself in place of `Self`. The mapping is computed, so that it may speak of what an actor owns:
/// `extension BookView: @MainActor MappedRecord`.
public protocol MappedRecord: VirtualRecord {
  /// The parts that the record has in tables.
  static var mapping: RecordMapping<Self> { get }
}

extension MappedRecord {
  /// All parts together; a name that two tables give to different properties, such as `id`, stands for neither.
  public func columnValues() throws -> ColumnValues {
    let names = Self.mapping.names
    var values = ColumnValues()
    for (name, field) in names { values[name.text] = try field.value(self) }
    return values
  }

  public mutating func take(_ values: ColumnValues) throws {
    let names = Self.mapping.names
    for (name, value) in values.values {
      try names[name]?.take(KeptColumn(name.text, value), &self)
    }
  }

  public func values(for table: TableDefinition) throws -> ColumnValues {
    var values = ColumnValues()
    for (name, field) in try Self.mapping.fields(of: table) {
      values[name] = try field.value(self)
    }
    return values
  }

  public mutating func take(_ values: ColumnValues, from table: TableDefinition) throws {
    for (name, field) in try Self.mapping.fields(of: table) {
      guard let value = values[name] else { continue }
      try field.take(KeptColumn(name, value), &self)
    }
  }
}
