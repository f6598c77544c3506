/// What begins or ends a transaction, or a part of one.
enum TransactionControl: Int, CaseIterable {
  case begin, beginImmediate, beginExclusive, commit, rollback, savepoint, release, rollbackTo

  var sql: String {
    switch self {
    case .begin: "BEGIN"
    case .beginImmediate: "BEGIN IMMEDIATE"
    case .beginExclusive: "BEGIN EXCLUSIVE"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"
    // One name for all: the innermost is meant.
    case .savepoint: "SAVEPOINT undercroft"
    case .release: "RELEASE undercroft"
    case .rollbackTo: "ROLLBACK TO undercroft"
    }
  }

  /// Whether it takes the locks of all files at once.
  var isLocking: Bool { self == .beginImmediate || self == .beginExclusive }

  var isBeginning: Bool { self == .begin || self == .beginImmediate || self == .beginExclusive }
}
