/// The columns of the right table of a left join, accessed through the properties of the table's
/// records: `$1.title`.
///
/// All columns are optional, because they are NULL in a row without a record of this table.
@dynamicMemberLookup
public struct OptionalColumns<Record>: Sendable {
  /// The columns with the declared types of their properties, for a function that receives
  /// ``Columns``: `where { author, book in isGood(book.columns) }`.
  ///
  /// These columns are intended for conditions. If a query selects such a column, reading a row
  /// without a record of the table throws ``StorageError/Code/decodingFailed``, unless the type of
  /// the property is optional.
  public let columns: Columns<Record>

  /// The column that stores a property, as an expression in SQL whose value can be NULL.
  public subscript<Value: ColumnValue>(
    dynamicMember path: KeyPath<Record, Value>
  ) -> SQLExpression<Value.Unwrapped?> {
    columns[dynamicMember: path].typed()
  }
}
