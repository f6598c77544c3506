public import UndercroftSQLite

extension Table {
  /// Brings the table in line with its declaration, as its first use in a write would: for a database that is only read afterwards.
  public func prepare(in db: borrowing Connection) throws { _ = try definition.standIn(in: db) }

  /// The columns of the file that are declared no longer; their values are kept.
  ///
  /// None where there is no such table yet.
  public func undeclaredColumns(in db: borrowing Connection) throws -> [TableColumn] {
    guard let found = try FoundTable(name, in: db) else { return [] }
    return try TableComparison(definition, with: found).undeclared
  }
}
