import UndercroftCore
import UndercroftSQLite

/// The reason for which this database cannot contain a row of the server.
struct RowRefusal: Error {
  let reason: String
  /// What the application can do if a local change is refused, or `nil` for the advice about
  /// constraints.
  var suggestion: String?

  init(_ reason: String, suggestion: String? = nil) {
    self.reason = reason
    self.suggestion = suggestion
  }

  /// Creates the reason from an error of a write, or returns `nil` if the error concerns the whole
  /// database, such as a full disk.
  init?(causeOf error: any Error) {
    if let refusal = error as? RowRefusal {
      self = refusal
      return
    }
    guard let cause = SQLiteError(causeOf: error) else { return nil }
    switch cause.code.primary {
    case .constraint, .mismatch, .tooBig:
      reason =
        cause.constraint.map { "the row violates the constraint \($0)" }
        ?? "SQLite cannot store the row: \(cause.message)"
    default: return nil
    }
  }

  /// Creates the reason for a violation of NOT NULL by a reference to a row that is not in this
  /// database, or returns `nil` for any other error.
  init?(missing references: [UnresolvedReference], causeOf error: any Error) {
    guard case .notNull(let column)? = SQLiteError(causeOf: error)?.constraint,
      let reference = references.first(where: { $0.column.text.folded == column.folded })
    else { return nil }
    reason = """
      the required column \(quoted(column)) refers to the row \
      \(quoted(reference.target.identifier.text)) of the table \
      \(quoted(reference.target.table.text)), which is not in this database
      """
  }
}
