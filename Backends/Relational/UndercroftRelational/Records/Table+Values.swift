import UndercroftCore
import UndercroftSQLite

extension Table {
  /// Returns the column values of a record of this table.
  func values(of record: Record) throws -> ColumnValues {
    var values = ColumnValues()
    for (column, binder) in zip(definition.columns, codec.binders) {
      values[column.name] = try binder.value(record)
    }
    return values
  }

  /// Returns a copy of a record that has the given values in the columns named in `values`.
  func record(_ record: Record, taking values: ColumnValues) throws -> Record {
    let columns = try zip(definition.columns, codec.binders).map { column, binder in
      OwnedColumn(column.name, try values[column.name] ?? binder.value(record))
    }
    return try codec.decode(columns)
  }
}
