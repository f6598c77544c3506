/// The columns of a table that a left join has added, accessed through the properties of its
/// records: `$1.title`.
///
/// All columns are optional, because they are NULL in a row without a record of this table.
@dynamicMemberLookup
public struct OptionalColumns<Record>: Sendable {
  /// The same columns with the types of the properties, for a function that receives
  /// ``Columns``: `where { author, book in isGood(book.columns) }`.
  ///
  /// A condition can use these columns. A value that is selected from a row without a record of the
  /// table cannot be read, unless the type of the property is optional.
  public let columns: Columns<Record>

  /// The column that stores a property, as an expression in SQL whose value can be NULL.
  public subscript<Value: ColumnValue>(
    dynamicMember path: KeyPath<Record, Value>
  ) -> SQLExpression<Value.Unwrapped?> {
    columns[dynamicMember: path].typed()
  }
}
