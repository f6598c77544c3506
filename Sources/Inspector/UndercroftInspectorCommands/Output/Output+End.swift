import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

extension Output {
  /// Reports an error and ends the process with its exit status, on another thread than that of the
  /// command, which does not continue.
  ///
  /// As at the end of a command, the output before the error is shown, and temporary items are
  /// removed.
  static func end(with error: StorageError, in format: OutputFormat) -> Never {
    try? Console.endPaging()
    report(error.suggestingOptions, in: format)
    let exitStatus = status(of: error.code)
    Console.end {
      TerminalEcho.restore()
      TemporaryItems.removeAll()
      _exit(exitStatus)
    }
    _exit(exitStatus)
  }
}
