import UndercroftCore
public import UndercroftSQLite

extension Table {
  /// Reconciles the table in the file with its declaration: creates a missing table, adds missing
  /// columns, and updates indexes.
  ///
  /// The first write to the table does the same. Call this method before the table is used by
  /// read-only connections, which cannot change the schema.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the connection is inside a read, or if the table
  ///   cannot be reconciled with its declaration.
  public func prepare(in db: Connection) throws {
    guard db.isWriter else { throw StorageError.insideRead("prepare the table \(quoted(name))") }
    try definition.ensureSchema(in: db)
  }

  /// Returns the columns of the table in the file that the declaration does not contain.
  ///
  /// These columns and their values remain in the file.
  ///
  /// If the file does not contain the table yet, the result is empty.
  public func undeclaredColumns(in db: Connection) throws -> [SchemaColumn] {
    guard let existing = try ExistingTable(name, in: db) else { return [] }
    return try TableComparison(definition, with: existing).undeclared
  }
}
