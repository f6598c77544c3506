import CSQLite
import UndercroftCore
import UndercroftFileSystem

/// The policy by which a connection waits for a lock that another connection holds.
/// (`sqlite3_busy_handler`)
///
/// SQLite's own busy handler increases its pauses up to 100 ms, and therefore loses every race
/// against a process that writes continuously. This policy polls ten times at intervals of 0.1 ms,
/// and then every millisecond, and therefore soon polls between two transactions of that process.
///
/// If a transaction locks several files, `ConnectionState.lockAll` sets a short ``patience`` and
/// retries the transaction.
final class BusyPolicy {
  /// The longest time that the connection waits for any lock.
  let timeout: Duration
  private var deadline = ContinuousClock.now
  /// The longest time that the connection waits for one lock while it holds other locks, or `nil`
  /// to wait up to ``timeout``.
  ///
  /// A short wait resolves deadlocks with other processes.
  var patience: Duration?
  /// The interruption that can end the current operation, or `nil` if there is none.
  ///
  /// If the interruption is cancelled, a wait ends early.
  var interruption: Interruption?

  init(timeout: Duration) { self.timeout = timeout }

  /// Installs the policy on a connection, which must not outlive the policy.
  func install(on connection: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_busy_handler(
      connection,
      { context, count in
        guard let context else { return 0 }
        let policy = Unmanaged<BusyPolicy>.fromOpaque(context).takeUnretainedValue()
        return policy.wait(count) ? 1 : 0
      }, context)
  }

  /// Sleeps for a random back-off of 2 to 20 ms, which is longer than the poll interval of another
  /// waiter.
  func stepBack() { usleep(UInt32.random(in: 2_000...20_000)) }

  /// Sleeps for one poll interval, and returns `true`.
  ///
  /// If the timeout has passed or the interruption is cancelled, returns `false` without sleeping.
  private func wait(_ count: Int32) -> Bool {
    let now = ContinuousClock.now
    if count == 0 { deadline = now + (patience ?? timeout) }
    if now >= deadline || interruption?.isCancelled == true { return false }
    usleep(count < 10 ? 100 : 1_000)
    return true
  }
}
