import Foundation
import Synchronization
import UndercroftMigration
import UndercroftSQLite

/// A reporter that reports each moment of a migration to the parent process, and kills this process
/// at a chosen moment.
final class Moments: Sendable {
  /// The number of the moment at which the process is killed, counted from 1; 0 means the start of
  /// the program, and `nil` means that the process is not killed.
  private let last: Int?
  /// The delay after that moment, in microseconds.
  private let delay: Int
  private let signal: Int32
  private let count = Mutex(0)

  init(dyingAt last: Int?, after microseconds: Int, of signal: Int32 = SIGKILL) {
    (self.last, delay, self.signal) = (last, microseconds, signal)
    // The process that started this one may have ignored or blocked the signal.
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
    case .willRun(let transition): tell("will run the step to \(transition.to)")
    case .progress: tell("slice, before its commit")
    case .checking(let transition): tell("step to \(transition.to), before its commit")
    case .didRun(let transition): tell("did run the step to \(transition.to)")
    case .failed(let failure, _): tell("failed to reach \(failure.transition.to)")
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

  /// Writes a string with one call of `write`, so that lines of several processes in one file are
  /// not mixed, and no line is in a buffer when the process is killed.
  static func write(_ text: String, to file: Int32) {
    let bytes = Array(text.utf8)
    _ = Foundation.write(file, bytes, bytes.count)
  }
}
