import Foundation
import ShelfCatalogue
import Synchronization

/// A line on standard error that shows the progress of work that takes longer than half a second.
///
/// Ctrl-C cancels the work between two steps.
enum ProgressLine {
  static let isTerminal = isatty(STDERR_FILENO) == 1

  static func begin() -> ImportProgress {
    let clock = Mutex(LineClock())
    let progress = ImportProgress { what, done in
      // Reading the clock at every step would cost more than the steps.
      guard done > 0, done % 64 == 0, clock.withLock({ $0.isDue }) else { return }
      show("\(done) \(what)")
    }
    _ = Interruption { progress.cancel() }
    return progress
  }

  /// Replaces the last progress line, or writes a new line if standard error is not a terminal.
  static func show(_ text: String) {
    write(isTerminal ? "\r\u{1b}[K\(text)" : "shelf: \(text) so far\n")
  }

  static func clear() {
    if isTerminal { write("\r\u{1b}[K") }
  }

  private static func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
