import Synchronization
import UndercroftSync

/// A clock and a source of numbered identifiers that a test controls.
final class TestClock: Sendable {
  private let time: Mutex<Int64>
  private let count = Mutex(0)

  init(at time: Int64 = Desk.now) { self.time = Mutex(time) }

  var now: Int64 { time.withLock { $0 } }

  func advance(days: Int64 = 0, minutes: Int64 = 0) {
    time.withLock { $0 += days * SyncRetention.day + minutes * 60_000 }
  }

  var environment: SyncEnvironment {
    SyncEnvironment(
      now: { self.now },
      makeIdentifier: {
        self.count.withLock { count in
          count += 1
          return "id\(count)"
        }
      })
  }
}
