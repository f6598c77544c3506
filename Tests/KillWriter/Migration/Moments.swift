import Foundation
import Synchronization
import UndercroftMigration
import UndercroftSQLite

/// Tells the parent each thing that happens, and ends this process when it is to die.
final class Moments: Sendable {
  /// At which moment to die, the first being 1; 0 for the start of the program, `nil` for never.
  private let last: Int?
  /// How long after that moment.
  private let delay: Int
  private let signal: Int32
  private let count = Mutex(0)

  init(dyingAt last: Int?, after microseconds: Int, of signal: Int32 = SIGKILL) {
    (self.last, delay, self.signal) = (last, microseconds, signal)
    // Whoever started this may have had it ignored, or held back.
    Foundation.signal(signal, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    sigprocmask(SIG_UNBLOCK, &signals, nil)
    if last == 0 { die() }
  }

  func tell(_ moment: String) {
    Self.write(moment + "\n", to: 1)
    let number = count.withLock { count in
      count += 1
      return count
    }
    if number == last { die() }
  }

  func tell(_ event: MigrationEvent) {
    switch event {
    case .willMigrate: tell("will migrate")
    case .snapshot(let progress):
      tell(progress.remainingPages == 0 ? "snapshot copied" : "amid the snapshot")
    case .willRun(let move): tell("will run the step to \(move.to)")
    case .progress: tell("slice, before its commit")
    case .checking(let move): tell("step to \(move.to), before its commit")
    case .didRun(let move): tell("did run the step to \(move.to)")
    case .failed(let failure, _): tell("failed to reach \(failure.move.to)")
    case .ended: tell("ended")
    }
  }

  private func die() {
    let (delay, signal) = (delay, signal)
    guard delay > 0 else {
      kill(getpid(), signal)
      return
    }
    Thread {
      usleep(UInt32(clamping: delay))
      kill(getpid(), signal)
    }.start()
  }

  /// In one call: lines of several processes in one file are not mixed, and none is still in a buffer at the end.
  static func write(_ text: String, to file: Int32) {
    let bytes = Array(text.utf8)
    _ = Foundation.write(file, bytes, bytes.count)
  }
}
