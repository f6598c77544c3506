import UndercroftSQLite

extension Table {
  /// Returns a declaration of another table, with this name and
  /// the same columns, constraints and indexes.
  ///
  /// Store the result in a `static let`: every connection compares
  /// each declaration with the file when it first uses it.
  public func named(_ name: String) -> Table<Record> {
    Table(definition.named(name), codec)
  }
}
