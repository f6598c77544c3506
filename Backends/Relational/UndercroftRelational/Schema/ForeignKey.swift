import UndercroftCore
import UndercroftSQLite

/// A foreign key: columns that refer to a row of another table, or of the same table.
struct ForeignKey: Sendable {
  /// The names of the referring columns.
  var columns: [String]
  var target: Target
  var onDelete = ForeignKeyAction.noAction
  var onUpdate = ForeignKeyAction.noAction
  /// Whether the constraint is checked at the end of the
  /// transaction instead of after each statement.
  var isDeferred = false

  /// The referenced table and columns.
  enum Target: Sendable {
    /// A declared table and its columns.
    ///
    /// The closure is not called before the foreign key is resolved, so that two tables can refer
    /// to each other.
    case declared(@Sendable () -> DeclaredTarget)
    /// A table and its columns, given by name.
    case named(String, columns: [String])
  }

  /// A declared table and the names of the referenced columns.
  ///
  /// If `columns` is empty, the primary key is referenced.
  struct DeclaredTarget {
    var table: TableDefinition
    var columns: [String]
    var failure: StorageError?
  }

  /// A foreign key with the names of the referenced table and columns.
  struct Resolved: Sendable {
    var columns: [String]
    var table: String
    var targetColumns: [String]
    var onDelete: ForeignKeyAction
    var onUpdate: ForeignKeyAction
    var isDeferred: Bool
    /// The declaration of the target table, or `nil` if only its name is known.
    var definition: TableDefinition?
  }

  /// Returns the foreign key with the names of the referenced table and columns.
  ///
  /// - Parameter referring: The name of the table with the foreign key, for error messages.
  /// - Throws: ``StorageError/Code/misuse`` if the number of referring columns differs from the
  ///   number of referenced columns, or if a referenced property has no column.
  func resolved(of referring: String) throws(StorageError) -> Resolved {
    var resolved = Resolved(
      columns: columns, table: "", targetColumns: [], onDelete: onDelete, onUpdate: onUpdate,
      isDeferred: isDeferred, definition: nil)
    switch target {
    case .named(let table, let columns):
      (resolved.table, resolved.targetColumns) = (table, columns)
    case .declared(let resolve):
      let target = resolve()
      if let failure = target.failure { throw failure }
      resolved.table = target.table.name
      resolved.definition = target.table
      resolved.targetColumns =
        target.columns.isEmpty ? target.table.keyColumns.map(\.name) : target.columns
    }
    if resolved.targetColumns.count == columns.count { return resolved }
    let names = columns.map { quoted($0) }.joined(separator: ", ")
    throw StorageError.table(
      """
      cannot declare a foreign key of \(quoted(referring))\
      \(names.isEmpty ? "" : " from \(names)") to \(quoted(resolved.table)): the number of \
      referring columns is \(columns.count), but the number of referenced columns is \
      \(resolved.targetColumns.count)
      """,
      suggestion: """
        pass one referring column for each referenced column; by default, the referenced columns \
        are the primary key of \(quoted(resolved.table))
        """)
  }
}
