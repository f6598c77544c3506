import ArgumentParser
import Foundation
import UndercroftInspection

/// The question whether a command may change a store.
enum Confirmation {
  /// The number of changes of each store that the question shows.
  private static let maximumLines = 20

  /// Whether the process has a terminal for the question and the answer.
  static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// The option with which a suggested command asks no question, or no option if the user can read
  /// the suggestion on a terminal and answer there, because a script may run the command otherwise.
  static var skippingOptions: [String] { isPossible && Terminal.isOutput ? [] : ["--yes"] }

  /// Shows changes on the terminal, and returns if the user agrees.
  ///
  /// - Throws: an `ExitCode` if the user does not agree, and the errors of reading a store.
  static func ask(about edits: [StoreEdit]) throws {
    var text = ""
    let preview = EditPreview(excerpt: ValueExcerpt(redactor: Redactor()))
    for edit in edits {
      try preview.forEachLine(of: edit, limit: maximumLines) { text += $0 + "\n" }
      if edit.changes.count > maximumLines {
        text += "… and \(edit.changes.count - maximumLines) more\n"
      }
    }
    if text.isEmpty { return }
    try ask("Change these values?", after: text)
  }

  /// Asks a question on the terminal, and returns if the user agrees.
  ///
  /// - Parameters:
  ///   - question: the question.
  ///   - preview: the lines that are shown before the question.
  /// - Throws: an `ExitCode` if the user does not agree.
  static func ask(_ question: String, after preview: String = "") throws {
    let text = "\(preview)\(ValueText.safe(question)) [y/N] "
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    let answer = (readLine() ?? "").trimmingCharacters(in: .whitespaces).lowercased()
    guard ["y", "yes"].contains(answer) else {
      Output.note("nothing was changed")
      throw ExitCode(1)
    }
  }
}
