import UndercroftSQLite

/// One row to be written, wherever its values come from: a record, or what a virtual record shows.
struct WrittenRow<Record> {
  /// The places of the columns that it has something to say about.
  let places: [Int]
  /// The record itself, if it is one.
  let given: Record?
  /// Binds the values of these columns to the placeholders from the first on.
  let bind: (_ places: [Int], borrowing Statement) throws -> Void
  /// Whether there is no value for a column.
  let isNil: (Int) -> Bool
}

extension Table {
  func row(of record: Record) -> WrittenRow<Record> {
    WrittenRow(places: definition.writtenPlaces, given: record) { places, statement in
      try codec.bind(record, places, to: statement)
    } isNil: { place in
      codec.isNil(place, of: record)
    }
  }
}
