import UndercroftCore
import UndercroftSQLite

/// A reference of columns to a row of another table, or of the same.
struct ForeignKey: Sendable {
  /// The columns that refer.
  var columns: [String]
  var target: Target
  var onDelete = ForeignKeyAction.noAction
  var onUpdate = ForeignKeyAction.noAction
  /// Whether it is checked when the transaction ends, and not with each statement.
  var isDeferred = false

  /// What is referred to.
  enum Target: Sendable {
    /// A declared table, asked for at first use, so that two tables may refer to each other.
    case declared(@Sendable () -> DeclaredTarget)
    /// A table by its name, and the names of its columns.
    case named(String, columns: [String])
  }

  /// A declared table, and those of its columns that are meant; its primary key where there are none.
  struct DeclaredTarget {
    var table: TableDefinition
    var columns: [String]
    var failure: StorageError?
  }

  /// The same with the names of what it refers to.
  struct Resolved: Sendable {
    var columns: [String]
    var table: String
    var targetColumns: [String]
    var onDelete: ForeignKeyAction
    var onUpdate: ForeignKeyAction
    var isDeferred: Bool
    /// The declaration of the table it refers to, if it is known.
    var definition: TableDefinition?
  }

  /// Asks for what it refers to.
  func resolved() throws(StorageError) -> Resolved {
    var resolved = Resolved(
      columns: columns, table: "", targetColumns: [], onDelete: onDelete, onUpdate: onUpdate,
      isDeferred: isDeferred, definition: nil)
    switch target {
    case .named(let table, let columns):
      (resolved.table, resolved.targetColumns) = (table, columns)
    case .declared(let ask):
      let answer = ask()
      if let failure = answer.failure { throw failure }
      resolved.table = answer.table.name
      resolved.definition = answer.table
      resolved.targetColumns =
        answer.columns.isEmpty ? answer.table.keyColumns.map(\.name) : answer.columns
    }
    if resolved.targetColumns.count == columns.count { return resolved }
    throw StorageError(
      .misuse,
      """
      cannot let \(columns.map { quoted($0) }.joined(separator: ", ")) refer to \
      \(quoted(resolved.table)): it is \(columns.count) of \(resolved.targetColumns.count) columns
      """,
      cure: "name as many columns as the key of the other table has", backend: "sqlite")
  }
}
