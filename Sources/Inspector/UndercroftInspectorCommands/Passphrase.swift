import Foundation
import UndercroftCore

/// A reader of the passphrases that the user types.
enum Passphrase {
  /// Reads one line from standard input, without echo if standard input is a terminal.
  ///
  /// Returns `nil` at the end of the input.
  static func read() -> String? { read("Passphrase: ") }

  /// Reads a new passphrase: twice on a terminal, because the user does not see what is typed, and
  /// otherwise one line from standard input.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the input is at its end, or if the user has typed two
  ///   different passphrases.
  static func readNew() throws(StorageError) -> String {
    guard let typed = read("New passphrase: ") else {
      throw StorageError(
        .misuse, "cannot read the new passphrase: the input is at its end",
        suggestion: """
          type the passphrase, or write it as a line to standard input, after the line with the \
          present passphrase if that is requested as well
          """)
    }
    guard isatty(STDIN_FILENO) == 0 || read("Repeat the new passphrase: ")?.exact == typed.exact
    else {
      throw StorageError(
        .misuse, "cannot use the new passphrase: the two inputs differ",
        suggestion: "repeat the command, and type the same passphrase twice")
    }
    return typed
  }

  private static func read(_ prompt: String) -> String? {
    guard isatty(STDIN_FILENO) == 1 else { return readLine() }
    guard let line = getpass(prompt) else { return nil }
    defer { memset(line, 0, strlen(line)) }
    return String(cString: line)
  }
}
