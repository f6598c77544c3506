import CSQLite
import UndercroftCore

extension Connection {
  /// Runs `body`, whose statements come to an end: one that computes more than this many steps of SQLite's machine is interrupted.
  ///
  /// A view may be endless, and a value in it as large as SQLite allows; no value that is kept is larger than the file.
  /// (`sqlite3_progress_handler`)
  func bounded<Result>(
    steps: Int, _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    let size = (try integer("PRAGMA page_count") ?? 0) * (try integer("PRAGMA page_size") ?? 0)
    let before = sqlite3_limit(
      raw, SQLITE_LIMIT_LENGTH, Int32(clamping: max(size, 1 << 24)))
    let budget = Budget(steps / Budget.slice)
    sqlite3_progress_handler(
      raw, Int32(Budget.slice),
      { context in
        guard let context else { return 1 }
        return Unmanaged<Budget>.fromOpaque(context).takeUnretainedValue().isSpent() ? 1 : 0
      }, Unmanaged.passUnretained(budget).toOpaque())
    defer {
      sqlite3_progress_handler(raw, 0, nil, nil)
      withExtendedLifetime(budget) {}
      sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, before)
    }
    return try body(self)
  }
}

/// Counts what is computed, in slices.
private final class Budget {
  static let slice = 100_000
  private var remaining: Int

  init(_ slices: Int) { remaining = slices }

  func isSpent() -> Bool {
    remaining -= 1
    return remaining < 0
  }
}
