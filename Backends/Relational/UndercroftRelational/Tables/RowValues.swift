import UndercroftSQLite

/// One row to be written, with values from a record or from a virtual record.
struct RowValues<Record> {
  /// The indices of the columns that the row has a value for.
  let places: [Int]
  /// The record that the caller passed, or `nil` if the values come from a virtual record.
  let given: Record?
  /// Binds the values of these columns to consecutive placeholders, starting at the first.
  let bind: (_ places: [Int], borrowing Statement) throws -> Void
  /// Returns whether the value of a column is `nil`.
  let isNil: (Int) -> Bool
}

extension Table {
  func row(of record: Record) -> RowValues<Record> {
    RowValues(places: definition.writtenPlaces, given: record) { places, statement in
      try codec.bind(record, places, to: statement)
    } isNil: { place in
      codec.isNil(place, of: record)
    }
  }
}
