import UndercroftSQLite

extension Table {
  /// Declares another table like this one, under its own name: columns, constraints and indexes are the same.
  ///
  /// Keep what it returns, as `static let`: each one is looked at anew by every connection.
  public func named(_ name: String) -> Table<Record> {
    Table(definition.named(name), codec)
  }
}
