import Dispatch
import Foundation
import ShelfCatalogue
import Synchronization

/// Says on standard error how far the work is, once it takes longer than half a second; Ctrl-C ends it between two steps.
enum ProgressLine {
  private static let isTerminal = isatty(STDERR_FILENO) == 1

  static func begin() -> ImportProgress {
    let next = Mutex(ContinuousClock.now + .milliseconds(500))
    let progress = ImportProgress { what, done in
      // Looking at the clock at every step would cost more than the steps.
      guard done > 0, done % 64 == 0 else { return }
      let now = ContinuousClock.now
      let isDue = next.withLock { due in
        guard now >= due else { return false }
        due = now + (isTerminal ? .milliseconds(100) : .seconds(2))
        return true
      }
      if isDue { say(isTerminal ? "\r\u{1b}[K\(done) \(what)" : "shelf: \(done) \(what) so far\n") }
    }
    interrupt(progress)
    return progress
  }

  static func clear() {
    if isTerminal { say("\r\u{1b}[K") }
  }

  /// The first Ctrl-C asks the work to stop; a second one ends the program, which also leaves everything whole.
  private static func interrupt(_ progress: ImportProgress) {
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler {
      progress.cancel()
      signal(SIGINT, SIG_DFL)
      source.cancel()
    }
    source.activate()
  }

  private static func say(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
