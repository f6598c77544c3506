/// Whatever can show a table its part of itself, and take it back: a value, an object, a view model.
///
/// It need not be the row of any table: it may have parts in several, and a table may keep several kinds of it.
public protocol VirtualRecord {
  /// Returns what the record shows to a table: values for those of its columns that are the record's business.
  func values(for table: TableDefinition) throws -> ColumnValues

  /// Takes what a table shows; a column that is not named leaves its property as it is.
  mutating func take(_ values: ColumnValues, from table: TableDefinition) throws
}
