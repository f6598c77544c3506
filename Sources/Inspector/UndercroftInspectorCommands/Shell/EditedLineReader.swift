import Foundation
import Synchronization

/// A reader of lines that the user edits on the terminal, with a history and completion.
///
/// The lines are edited by libedit through the interface of its header `editline/readline.h`. The
/// library is loaded when the shell starts, so that neither the package nor the tool depends on it.
final class EditedLineReader: LineReader {
  /// Returns the completions of a line up to the cursor.
  typealias Completer = @Sendable (_ line: [Unicode.Scalar]) -> ShellCompletion

  private let library: LineEditingLibrary

  /// Loads the library, or returns `nil` if the library is not installed or the terminal cannot
  /// move the cursor.
  init?(history: [String], completer: @escaping Completer) {
    guard !Terminal.isDumb, let library = LineEditingLibrary() else { return nil }
    self.library = library
    // The library reads characters of several bytes only in a suitable locale.
    let locale = setlocale(LC_CTYPE, "").map { String(cString: $0) } ?? "C"
    if locale == "C" || locale == "POSIX" { setlocale(LC_CTYPE, "C.UTF-8") }
    library.start(named: "undercroft")
    for line in history { library.addToHistory(line) }
    EditorCallbacks.completer.withLock { $0 = completer }
    library.setCompletion(EditorCallbacks.complete)
    library.setStartHook(EditorCallbacks.prepareTerminal)
    library.bind(key: 3, named: "undercroft-cancel", EditorCallbacks.cancel)
    library.bind(key: 26, named: "undercroft-suspend", EditorCallbacks.suspend)
  }

  func next(prompt: String) -> LineInput {
    EditorCallbacks.isCancelled.withLock { $0 = false }
    guard let line = library.read(prompt) else {
      let isCancelled = EditorCallbacks.isCancelled.withLock { $0 }
      try? Output.text(isCancelled ? "^C" : "")
      return isCancelled ? .cancelled : .end
    }
    if line.contains(where: { $0 != " " }) { library.addToHistory(line) }
    return .line(line)
  }
}

/// The functions that the library calls, which cannot capture values.
private enum EditorCallbacks {
  static let completer = Mutex<EditedLineReader.Completer?>(nil)
  static let isCancelled = Mutex(false)
  static let library = Mutex(LineEditingLibrary())

  /// Makes Ctrl-C a key instead of a signal, which would interrupt the library while it reads.
  static let prepareTerminal: LineEditingLibrary.StartHook = {
    library.withLock { library in
      if let library { prepare(library) }
    }
    return 0
  }

  private static func prepare(_ library: LineEditingLibrary) {
    library.configure("setty -d -isig")
    library.prepareTerminal()
  }

  static let cancel: LineEditingLibrary.KeyFunction = { _, _ in
    isCancelled.withLock { $0 = true }
    library.withLock { $0?.endLine() }
    return 0
  }

  /// Stops the process group, as the signal of Ctrl-Z does, and shows the line again afterwards.
  ///
  /// The function of the library for this key shows nothing.
  static let suspend: LineEditingLibrary.KeyFunction = { _, _ in
    library.withLock { library in
      guard let library else { return }
      library.restoreTerminal()
      kill(0, SIGTSTP)
      prepare(library)
      library.refresh()
    }
    return 0
  }

  static let complete: LineEditingLibrary.CompletionFunction = { _, start, end in
    let text = library.withLock { library in
      library?.disableFileNames()
      return library?.line ?? ""
    }
    guard let complete = completer.withLock({ $0 }) else { return nil }
    let line = Array(text.unicodeScalars.prefix(max(0, Int(end))))
    return matches(complete(line), in: line, from: max(0, Int(start)))
  }

  /// Returns the completions as the library expects them: the text that is inserted, the
  /// completions and `nil`, allocated with `malloc`.
  ///
  /// The library replaces the part of the line after `start`, which follows the last blank or
  /// quotation mark.
  private static func matches(
    _ completion: ShellCompletion, in line: [Unicode.Scalar], from start: Int
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    let texts = [completion.insertion] + completion.candidates
    let rests = texts.compactMap { text -> [Unicode.Scalar]? in
      let completed = Array(line.prefix(completion.start)) + Array(text.unicodeScalars)
      return completed.starts(with: line.prefix(start)) ? Array(completed.dropFirst(start)) : nil
    }
    // The first text completes nothing by itself.
    guard rests.count > 1 else { return nil }
    let copies = rests.map { strdup(String(String.UnicodeScalarView($0))) }
    let size = (copies.count + 1) * MemoryLayout<UnsafeMutablePointer<CChar>?>.stride
    guard let memory = malloc(size) else { return nil }
    let list = memory.bindMemory(
      to: UnsafeMutablePointer<CChar>?.self, capacity: copies.count + 1)
    for (index, text) in (copies + [nil]).enumerated() { list[index] = text }
    return list
  }
}
