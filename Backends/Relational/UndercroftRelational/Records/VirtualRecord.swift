import UndercroftCore

/// A type that can be written to, and read from, columns of one
/// or more tables: a value, an object, a view model.
///
/// A virtual record need not match one row of a table. A virtual record can have parts in several
/// tables, and several types of virtual records can use the same table.
///
/// - A `Codable` type needs no further code: its coding keys are the column names. The record type
///   of a table needs no further code either: its columns are the columns of the table.
/// - A ``MappedRecord`` declares the table and the column that store each property.
/// - For any other type, implement ``columnValues()`` and ``assign(_:)``.
///   If a name such as `id` means different properties in different
///   tables, also implement ``values(for:)`` and ``assign(_:from:)``.
///
/// The type need not be `Sendable`. A class that is isolated to an
/// actor conforms by `extension BookView: @MainActor VirtualRecord`.
public protocol VirtualRecord {
  /// Returns all values of the record, keyed by column name.
  ///
  /// Tables and other records use the same names to find the values.
  func columnValues() throws -> ColumnValues

  /// Assigns values to the properties of the record.
  ///
  /// A property whose name is missing remains unchanged. Unknown names are ignored.
  mutating func assign(_ values: ColumnValues) throws

  /// Returns the values that the record supplies for a table.
  ///
  /// Columns for which the record supplies no value are not written.
  func values(for table: TableDefinition) throws -> ColumnValues

  /// Assigns the values of a table's row to the properties of the record.
  ///
  /// A property whose column is missing remains unchanged.
  mutating func assign(_ values: ColumnValues, from table: TableDefinition) throws
}

extension VirtualRecord {
  public func values(for table: TableDefinition) throws -> ColumnValues {
    try columnValues().restricted(to: table)
  }

  public mutating func assign(_ values: ColumnValues, from table: TableDefinition) throws {
    try assign(values)
  }
}

// Column values are a virtual record without a type. Every name is accepted, and all values are
// supplied to every table. A write therefore throws an error if a name is not a column of the
// table.
extension ColumnValues: VirtualRecord {
  public func columnValues() -> ColumnValues { self }

  public func values(for table: TableDefinition) -> ColumnValues { self }

  public mutating func assign(_ values: ColumnValues) {
    for (name, value) in values.values { self[name.text] = value }
  }
}
