/// A statement that begins or ends a transaction or a savepoint.
enum TransactionControl: Int, CaseIterable {
  case begin, beginImmediate, beginExclusive, commit, rollback, savepoint, release, rollbackTo

  var sql: String {
    switch self {
    case .begin: "BEGIN"
    case .beginImmediate: "BEGIN IMMEDIATE"
    case .beginExclusive: "BEGIN EXCLUSIVE"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"
    // All savepoints have the same name, by which SQLite finds the innermost.
    case .savepoint: "SAVEPOINT undercroft"
    case .release: "RELEASE undercroft"
    case .rollbackTo: "ROLLBACK TO undercroft"
    }
  }

  /// Whether the statement acquires the locks of all attached files immediately.
  var isLocking: Bool { self == .beginImmediate || self == .beginExclusive }

  var isBeginning: Bool { self == .begin || self == .beginImmediate || self == .beginExclusive }
}
