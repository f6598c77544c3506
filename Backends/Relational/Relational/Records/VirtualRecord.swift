import UndercroftCore

/// Whatever can show a table its part of itself, and take it back: a value, an object, a view model.
///
/// It need not be the row of any table: it may have parts in several, and a table may keep several kinds of it.
///
/// - A `Codable` type has all of it for free, by its coding keys; so has the record of a table that adopts it as well, by its columns.
/// - ``MappedRecord`` declares which property is which column of which table.
/// - By hand ``columnValues()`` and ``take(_:)`` are enough as long as a name means the same in every table; where it does not, such as
///   `id`, ``values(for:)`` and ``take(_:from:)`` tell the tables apart.
///
/// It need not be `Sendable`: a class of an actor adopts it by `extension BookView: @MainActor VirtualRecord`.
public protocol VirtualRecord {
  /// Returns all that the record has, by the names under which tables and other records know it.
  func columnValues() throws -> ColumnValues

  /// Takes values over; a property that is not named stays as it is, and a name that it does not know is passed over.
  mutating func take(_ values: ColumnValues) throws

  /// Returns what the record shows to a table: values for those of its columns that are the record's business.
  func values(for table: TableDefinition) throws -> ColumnValues

  /// Takes what a table shows; a column that is not named leaves its property as it is.
  mutating func take(_ values: ColumnValues, from table: TableDefinition) throws
}

extension VirtualRecord {
  public func values(for table: TableDefinition) throws -> ColumnValues {
    try columnValues().restricted(to: table)
  }

  public mutating func take(_ values: ColumnValues, from table: TableDefinition) throws {
    try take(values)
  }
}

// Values by name are a record themselves: one without a type of its own, which takes whatever it is given. All of them are meant for the
// table that they are shown to, so that a name which is none of its columns is found out.
extension ColumnValues: VirtualRecord {
  public func columnValues() -> ColumnValues { self }

  public func values(for table: TableDefinition) -> ColumnValues { self }

  public mutating func take(_ values: ColumnValues) {
    for (name, value) in values.values { self[name.text] = value }
  }
}
