import UndercroftCore
import UndercroftSQLite

// These methods determine whether missing columns can be added. `SchemaReconciler` adds the columns
// when `TableDefinition.ensureSchema(in:)` is called.
extension TableComparison {
  /// Verifies that the table in the file does not differ from its declaration, apart from missing
  /// columns that can be added.
  ///
  /// - Parameters:
  ///   - table: The declaration of the table.
  ///   - owner: Whether the library adds missing columns automatically, or only migrations add
  ///     columns.
  ///   - isEmpty: Whether the table has no rows. SQLite adds some columns only to an empty table,
  ///     such as a `NOT NULL` column without a default.
  /// - Throws: ``StorageError/Code/misuse`` if there is a difference, or if a missing column cannot
  ///   be added. The message lists all differences.
  func check(_ table: TableDefinition, owner: SchemaOwner, isEmpty: Bool) throws(StorageError) {
    var all = differences
    for column in missing {
      if owner == .migrations {
        all.append("column \(quoted(column.name)) is missing")
      } else if let obstacle = Self.obstacle(column, isEmpty: isEmpty) {
        all.append(
          """
          column \(quoted(column.name)) is missing, and SQLite cannot add a column that is \
          \(obstacle)
          """)
      }
    }
    if all.isEmpty { return }
    let suggestion =
      isOfLaterVersion
      ? """
      use the later version of the application that seems to have created the file, or declare \
      all columns of the file
      """
      : owner == .migrations && !missing.isEmpty
        ? """
        change the table in a migration step, because only migrations add columns to the tables \
        of this database
        """
        : """
        change the declaration to match the table in the file, or change the table in a migration \
        step
        """
    throw StorageError.table(
      """
      cannot use the table \(quoted(table.name)): it differs from its declaration: \
      \(all.joined(separator: "; "))
      """, suggestion: suggestion)
  }

  /// Returns the property of a column that prevents SQLite from adding the column, or `nil` if the
  /// column can be added.
  ///
  /// - Parameters:
  ///   - column: The missing column.
  ///   - isEmpty: Whether the table has no rows. SQLite adds some columns only to an empty table,
  ///     such as a `NOT NULL` column without a default.
  private static func obstacle(_ column: ColumnDefinition, isEmpty: Bool) -> String? {
    if column.isPrimaryKey { return "a primary key" }
    if column.isUnique { return "unique (declare indexed(…, unique: true) instead)" }
    if isEmpty { return nil }
    if let generator = column.generator {
      return generator.isStored ? "a stored generated column" : nil
    }
    if !column.isOptional, column.defaultValue == nil { return "NOT NULL without a default" }
    if column.foreignKey != nil, column.defaultValue != nil { return "a reference with a default" }
    return nil
  }
}
