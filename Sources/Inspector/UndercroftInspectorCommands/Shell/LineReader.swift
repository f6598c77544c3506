import Foundation

/// A source of the lines that the shell runs.
protocol LineReader {
  /// Reads the next line without its line break.
  func next(prompt: String) -> LineInput
}

/// The result of reading a line.
enum LineInput: Equatable {
  /// A complete line.
  case line(String)
  /// A line that the user has discarded with Ctrl-C.
  case cancelled
  /// The end of the input, or Ctrl-D.
  case end
}

/// A reader of lines from standard input without editing, for scripts and systems without libedit.
struct PlainLineReader: LineReader {
  /// Whether the prompt is written.
  let hasPrompt: Bool

  func next(prompt: String) -> LineInput {
    let line = hasPrompt ? InputPrompt.with(prompt) { readLine() } : readLine()
    return line.map { .line($0) } ?? .end
  }
}
