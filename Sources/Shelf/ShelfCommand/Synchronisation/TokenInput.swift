import Foundation
import ShelfCatalogue

/// The source of the token for a server.
///
/// A token is never an argument, because other users of the computer can read the arguments of a
/// process.
enum TokenInput {
  static let variable = "SHELF_SYNC_TOKEN"

  /// Returns the token in a file, in the environment, or in the first line of the standard input,
  /// in this order.
  ///
  /// - Throws: ``NotFound`` if there is no token.
  static func read(file: String?) throws -> String {
    if let file { return try token(in: try contents(of: file), of: "the file \(file)") }
    if let token = ProcessInfo.processInfo.environment[variable] {
      return try Self.token(in: token, of: "the variable \(variable)")
    }
    let line = isatty(STDIN_FILENO) == 1 ? withoutEcho { ask() } : readLine()
    return try token(in: line ?? "", of: "the standard input")
  }

  private static func contents(of file: String) throws -> String {
    do { return try String(contentsOfFile: file, encoding: .utf8) } catch {
      throw NotFound(
        """
        cannot read the token in the file \(file.debugDescription): \(error.localizedDescription); \
        check the path and the file permissions
        """)
    }
  }

  private static func token(in text: String, of source: String) throws -> String {
    let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !token.isEmpty, !token.contains(where: \.isWhitespace) else {
      throw NotFound(
        """
        cannot read the token in \(source): it contains \(token.isEmpty ? "no token" : "a space"); \
        pass the token that the server has printed with --token-file FILE, in the variable \
        \(variable), or on the standard input
        """)
    }
    return token
  }

  private static func ask() -> String? {
    try? FileHandle.standardError.write(contentsOf: Data("token: ".utf8))
    return readLine()
  }

  /// Runs `body` while the terminal does not show what the user types. (`tcsetattr`)
  ///
  /// Ctrl-C ends the program after the terminal shows input again.
  private static func withoutEcho<Result>(_ body: () -> Result) -> Result {
    var attributes = termios()
    guard tcgetattr(STDIN_FILENO, &attributes) == 0 else { return body() }
    let original = attributes
    let interruption = Interruption {
      restore(original)
      _exit(130)
    }
    attributes.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &attributes)
    defer {
      restore(original)
      interruption.end()
    }
    return body()
  }

  private static func restore(_ attributes: termios) {
    var attributes = attributes
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &attributes)
    try? FileHandle.standardError.write(contentsOf: Data("\n".utf8))
  }
}
