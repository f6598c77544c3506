import CSQLite
import UndercroftCore
import UndercroftInspection

/// The time limit of a statement, which excludes the time that the caller spends on the rows.
///
/// SQLite does not examine the limit during one call of a function. The command `query` therefore
/// watches the statement from another thread.
final class QueryDeadline {
  /// The number of instructions of SQLite's virtual machine between two checks, which takes less
  /// than a tenth of a millisecond.
  private static let interval: Int32 = 1_000

  private let limit: Duration?
  private let begin = ContinuousClock.now
  private var paused = Duration.zero

  /// Creates a time limit that begins now, or no limit if `limit` is `nil`.
  init(_ limit: Duration?) { self.limit = limit }

  /// Whether the time has passed.
  // The durations are subtracted, because an instant in the far future would overflow.
  var isReached: Bool { limit.map { begin.duration(to: .now) - paused >= $0 } ?? false }

  /// Runs `body` without counting its time.
  func pausing<Result>(_ body: () throws -> Result) rethrows -> Result {
    let start = ContinuousClock.now
    defer { paused += start.duration(to: .now) }
    return try body()
  }

  /// Throws ``StorageError/Code/interrupted`` if the time has passed.
  func check() throws(StorageError) { if isReached { throw error } }

  /// The error of a statement that reached the limit.
  var error: StorageError { .reachedTimeLimit(limit ?? .zero) }

  /// Makes SQLite interrupt the statements of a connection when the time has passed.
  /// (`sqlite3_progress_handler`)
  ///
  /// The connection must not outlive this object.
  func install(on connection: OpaquePointer) {
    guard limit != nil else { return }
    sqlite3_progress_handler(
      connection, Self.interval,
      { context in
        guard let context else { return 1 }
        return Unmanaged<QueryDeadline>.fromOpaque(context).takeUnretainedValue().isReached ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
