import ArgumentParser
import Foundation

/// The question whether a command may change values.
enum Confirmation {
  /// The number of changes that the question shows.
  private static let maximumLines = 20

  /// Shows changes on the terminal, and returns if the user agrees.
  ///
  /// - Throws: a `ValidationError` if standard input is not a terminal, and an `ExitCode` if the
  ///   user does not agree.
  static func ask(_ lines: [String]) throws {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      throw ValidationError(
        "The command asks before it changes values, but there is no terminal. Pass --yes to skip "
          + "the question.")
    }
    var text = lines.prefix(maximumLines).map { $0 + "\n" }.joined()
    if lines.count > maximumLines { text += "… and \(lines.count - maximumLines) more\n" }
    let count = lines.count == 1 ? "this value" : "these \(lines.count) values"
    text += "Change \(count)? [y/N] "
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    let answer = (readLine() ?? "").trimmingCharacters(in: .whitespaces).lowercased()
    guard ["y", "yes"].contains(answer) else {
      Output.note("nothing was changed")
      throw ExitCode(1)
    }
  }
}
