import Foundation
import Synchronization

/// The echo of the terminal, which is off while the user types a passphrase.
enum TerminalEcho {
  private struct Original {
    let descriptor: Int32
    let attributes: termios
  }

  /// The attributes of the terminal before the echo was turned off, or `nil` if it is on.
  private static let original = Mutex<Original?>(nil)

  /// Runs `body` while the terminal does not show what the user types. (`tcsetattr`)
  static func withoutEcho<Result>(on descriptor: Int32, _ body: () throws -> Result) rethrows
    -> Result
  {
    var attributes = termios()
    guard tcgetattr(descriptor, &attributes) == 0 else { return try body() }
    let saved = Original(descriptor: descriptor, attributes: attributes)
    original.withLock { $0 = saved }
    defer { restore() }
    attributes.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(descriptor, TCSAFLUSH, &attributes)
    return try body()
  }

  /// Turns the echo on again if it is off, and ends the line of the prompt.
  static func restore() {
    original.withLock { original in
      guard let saved = original else { return }
      original = nil
      var attributes = saved.attributes
      tcsetattr(saved.descriptor, TCSAFLUSH, &attributes)
      _ = write(saved.descriptor, "\n", 1)
    }
  }
}
