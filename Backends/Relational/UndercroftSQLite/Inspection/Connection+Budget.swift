import CSQLite
import UndercroftCore

extension Connection {
  /// Runs `body` with a limit on the work of all its statements together.
  /// (`sqlite3_progress_handler`)
  ///
  /// After `steps` instructions of SQLite's virtual machine, the running statement is interrupted.
  /// The limit is needed because a view can produce an unlimited number of rows. A view can also
  /// produce values as large as SQLite allows. While `body` runs, the size of each value is
  /// therefore limited to the larger of 16 MiB and the size of the database, because no stored
  /// value is larger than the database.
  func bounded<Result>(
    steps: Int, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let size = (try integer("PRAGMA page_count") ?? 0) * (try integer("PRAGMA page_size") ?? 0)
    let raw = try state.raw
    let before = sqlite3_limit(
      raw, SQLITE_LIMIT_LENGTH, Int32(clamping: max(size, 1 << 24)))
    let budget = Budget(steps / Budget.slice)
    sqlite3_progress_handler(
      raw, Int32(Budget.slice),
      { context in
        guard let context else { return 1 }
        return Unmanaged<Budget>.fromOpaque(context).takeUnretainedValue().isExhausted() ? 1 : 0
      }, Unmanaged.passUnretained(budget).toOpaque())
    defer {
      sqlite3_progress_handler(raw, 0, nil, nil)
      withExtendedLifetime(budget) {}
      sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, before)
    }
    return try body(self)
  }
}

/// A counter of the instructions of SQLite's virtual machine that may still run, in units of
/// 100,000 instructions.
private final class Budget {
  static let slice = 100_000
  private var remaining: Int

  init(_ slices: Int) { remaining = slices }

  func isExhausted() -> Bool {
    remaining -= 1
    return remaining < 0
  }
}
