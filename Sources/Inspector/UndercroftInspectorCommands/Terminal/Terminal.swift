import Foundation
import Synchronization
import UndercroftInspection

/// The terminal to which the process is connected, if there is one, and the choices of the user for
/// it.
enum Terminal {
  /// The choices of the user, which every command follows.
  struct Settings {
    var color = ColorChoice.auto
    var allowsPager = true
    /// Whether progress and notes are omitted.
    var isQuiet = false
  }

  private static let current = Mutex(Settings())

  /// The choices of the user for the command that runs.
  static var settings: Settings {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  /// Whether standard output is a terminal.
  static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether a terminal shows standard error, and can erase what it shows.
  static var canRewriteErrors: Bool { isatty(STDERR_FILENO) == 1 && !isDumb }

  /// Whether the terminal has no escape sequences. (`TERM`)
  static var isDumb: Bool { ["dumb", nil].contains(EnvironmentVariable.text(of: "TERM")) }

  /// The number of columns of the terminal, or `nil` if standard output is not a terminal.
  ///
  /// The environment variable `COLUMNS` takes precedence, even if standard output is not a
  /// terminal.
  static var width: Int? {
    let variable = EnvironmentVariable.text(of: "COLUMNS")
    if let columns = variable.flatMap({ Int($0) }), columns > 0 { return columns }
    guard isOutput else { return nil }
    return size(of: STDOUT_FILENO)?.columns ?? 80
  }

  /// Returns the size of the terminal with a file descriptor, or `nil` if it is unknown.
  /// (`TIOCGWINSZ`)
  static func size(of descriptor: Int32) -> (columns: Int, lines: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Returns whether text that is written to a file descriptor has colours.
  static func isColored(_ descriptor: Int32) -> Bool {
    settings.color.isColored(
      isTerminal: isatty(descriptor) == 1, variable: EnvironmentVariable.value)
  }
}

extension TextStyle {
  /// Returns a text that is written to a file descriptor, with the style if it has colours.
  func applied(to text: String, on descriptor: Int32) -> String {
    Terminal.isColored(descriptor) ? applied(to: text) : text
  }
}
