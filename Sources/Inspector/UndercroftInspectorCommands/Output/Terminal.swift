import Foundation

/// The terminal to which the standard output of the process is connected, if there is one.
enum Terminal {
  static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The number of columns of the terminal, or `nil` if standard output is no terminal.
  ///
  /// The environment variable `COLUMNS` takes precedence, also if standard output is no terminal.
  /// (`TIOCGWINSZ`)
  static var width: Int? {
    if let text = ProcessInfo.processInfo.environment["COLUMNS"], let columns = Int(text),
      columns > 0
    {
      return columns
    }
    guard isOutput else { return nil }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
