import CSQLite
import UndercroftCore
import UndercroftFileSystem

/// How a connection waits for the lock of another process. (`sqlite3_busy_handler`)
///
/// The library's own waiting sleeps longer and longer, up to a tenth of a second, and so loses every race against a process that writes
/// without pause. This one looks again every millisecond, which finds the gap between two transactions soon.
final class BusyPolicy {
  let timeout: Duration
  private var deadline = ContinuousClock.now
  /// How long to wait at most for one lock while others are held; `nil`: as long as for any.
  var patience: Duration?
  /// What may end the waiting before its time.
  var interruption: Interruption?

  init(timeout: Duration) { self.timeout = timeout }

  /// Makes the connection wait; it must not outlive the policy.
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

  /// Leaves what was locked alone for longer than another one takes to look again, and not always as long.
  func stepBack() { usleep(UInt32.random(in: 2_000...20_000)) }

  /// Waits a little; `false` when the time is over.
  private func wait(_ count: Int32) -> Bool {
    let now = ContinuousClock.now
    if count == 0 { deadline = now + (patience ?? timeout) }
    if now >= deadline || interruption?.isCancelled == true { return false }
    usleep(count < 10 ? 100 : 1_000)
    return true
  }
}
