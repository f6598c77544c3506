import CSQLite
import UndercroftCore

extension Connection {
  /// Runs `body` with a limit on the work of all its statements together.
  /// (`sqlite3_progress_handler`)
  ///
  /// After `steps` instructions of SQLite's virtual machine or after `time`, the running statement
  /// is interrupted. The limits are needed because a view can produce an unlimited number of rows,
  /// and because one instruction of a view can call a function that takes long. A view can also
  /// produce values as large as SQLite allows. While `body` runs, the size of each value is
  /// therefore limited to the larger of 16 MiB and the size of the database, because no stored
  /// value is larger than the database.
  func bounded<Result>(
    steps: Int, time: Duration? = nil, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let size = (try integer("PRAGMA page_count") ?? 0) * (try integer("PRAGMA page_size") ?? 0)
    let raw = try state.raw
    let before = sqlite3_limit(
      raw, SQLITE_LIMIT_LENGTH, Int32(clamping: max(size, 1 << 24)))
    let budget = Budget(steps / Budget.slice, time)
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

/// A counter of the instructions of SQLite's virtual machine that may still run, in units of 1,000
/// instructions, and of the time that they may take.
private final class Budget {
  static let slice = 1_000
  /// The longest time that is counted for one unit, because the receiver of a row may wait for a
  /// user.
  private static let longestSlice = Duration.seconds(1)

  private var remaining: Int
  private var time: Duration?
  private var last = ContinuousClock.now

  init(_ slices: Int, _ time: Duration?) {
    remaining = slices
    self.time = time
  }

  func isExhausted() -> Bool {
    remaining -= 1
    guard let left = time else { return remaining < 0 }
    let now = ContinuousClock.now
    let rest = left - min(last.duration(to: now), Self.longestSlice)
    (time, last) = (rest, now)
    return remaining < 0 || rest < .zero
  }
}
