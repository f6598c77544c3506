import Foundation
import Synchronization

/// The modes of the terminal before the shell started, which a signal that ends the shell restores.
///
/// While the user types, the library that edits lines turns off the echo, and the keys that send
/// signals.
enum TerminalModes {
  private static let original = Mutex<termios?>(nil)

  /// Stores the modes of the terminal of standard input. (`tcgetattr`)
  static func save() {
    var modes = termios()
    guard tcgetattr(STDIN_FILENO, &modes) == 0 else { return }
    let saved = modes
    original.withLock { $0 = saved }
  }

  /// Restores the saved modes if there are any, and ends the line of the prompt. (`tcsetattr`)
  ///
  /// A process in the background changes nothing: the system would stop it, and the terminal
  /// belongs to another program.
  static func restore() {
    guard var modes = original.withLock({ $0 }), tcgetpgrp(STDIN_FILENO) == getpgrp() else {
      return
    }
    var present = termios()
    guard tcgetattr(STDIN_FILENO, &present) == 0 else { return }
    // Output that the user has stopped must not delay the end of the process. (TCSADRAIN)
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    // The library reads single keys.
    if present.c_lflag & tcflag_t(ICANON) == 0 { _ = write(STDOUT_FILENO, "\n", 1) }
  }
}
