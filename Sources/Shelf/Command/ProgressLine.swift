import Foundation
import ShelfCatalogue
import Synchronization

/// Says on standard error how far the work is, once it takes longer than half a second; Ctrl-C ends it between two steps.
enum ProgressLine {
  static let isTerminal = isatty(STDERR_FILENO) == 1

  static func begin() -> ImportProgress {
    let clock = Mutex(LineClock())
    let progress = ImportProgress { what, done in
      // Looking at the clock at every step would cost more than the steps.
      guard done > 0, done % 64 == 0, clock.withLock({ $0.isDue }) else { return }
      show("\(done) \(what)")
    }
    _ = Interruption { progress.cancel() }
    return progress
  }

  /// Puts a text in the place of the last one, or below it where there is no terminal.
  static func show(_ text: String) {
    say(isTerminal ? "\r\u{1b}[K\(text)" : "shelf: \(text) so far\n")
  }

  static func clear() {
    if isTerminal { say("\r\u{1b}[K") }
  }

  private static func say(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
