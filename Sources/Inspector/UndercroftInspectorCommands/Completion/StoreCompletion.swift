import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// The completion of names from the stores on a command line, for the completion scripts of shells.
enum StoreCompletion {
  /// The time after which a completion ends without a result.
  ///
  /// A user who presses Tab waits for the completion, and a damaged or large store may take long.
  private static let timeLimit = DispatchTimeInterval.seconds(2)

  /// Returns the completions of an argument, in the form that the shell of the script needs.
  ///
  /// - Parameters:
  ///   - words: the words of the command line as they were typed, with their quotes.
  ///   - index: the position of the word to complete.
  ///   - names: a closure that returns the names for the stores at the path of the command line,
  ///     of all kinds if it receives no kind.
  static func completions(
    _ words: [String], at index: Int, _ prefix: String,
    names: (StoreNames, _ prefix: String, _ kinds: [String]) -> [String]
  ) -> [String] {
    // Leaves the process without output or a message of the shell.
    DispatchQueue.global().asyncAfter(deadline: .now() + timeLimit) { _exit(0) }
    var words = words
    if words.indices.contains(index) { words.remove(at: index) }
    let arguments = Array(words.dropFirst())
    guard let (command, count) = CommandDescription.subcommand(in: arguments) else { return [] }
    let parsed = CommandLineWords(arguments.dropFirst(count), of: command)
    guard command.inspectsPath, let typed = parsed.positionals.first else { return [] }
    let kinds = parsed.values(of: "kind").map(ShellWords.unquoted)
    let found = names(StoreNames(at: path(typed)), ShellWords.unquoted(prefix), kinds)
    // Several stores may have the same name.
    var known: Set<ExactString> = []
    return found.filter { known.insert(ExactString($0)).inserted }
      .map { quoted($0, for: .requesting) }
  }

  /// Returns the path that a word of a command line denotes.
  ///
  /// A tilde is expanded, but no variable and no pattern.
  private static func path(_ word: String) -> String {
    if FileManager.default.fileExists(atPath: word) { return word }
    let path = ShellWords.unquoted(word)
    let home = EnvironmentVariable.text(of: "HOME")
    guard word == "~" || word.hasPrefix("~/"), let home else { return path }
    return home + path.dropFirst()
  }

  /// Returns a completion in the form in which the generated script of a shell shows it literally.
  ///
  /// A shell reads one completion from each line, so no completion may contain a line break.
  static func quoted(_ name: String, for shell: CompletionShell?) -> String {
    let line = ValueText.safe(name)
    switch shell {
    // `compgen -W` expands its words, also command substitutions.
    case .bash?: return ShellText.quoted(line)
    // `_describe` ends a completion at a colon.
    case .zsh?:
      return line.replacingScalars { $0 == "\\" || $0 == ":" ? "\\\($0)" : nil }
    default: return line
    }
  }
}

extension CompletionKind {
  /// Completes the names of the commands of the tool, and after the name of a group those of its
  /// commands.
  static var commands: CompletionKind {
    .custom { words, index, _ in
      // The first two words are the tool and the command `man` or `help`.
      let typed = Array(words.prefix(index).dropFirst(2).filter { !$0.hasPrefix("-") })
      let selected = SelectedCommand(in: typed)
      return selected.names.count == typed.count ? selected.subcommands : []
    }
  }

  /// Completes the names of the backends whose stores the tool can write.
  static var editableBackends: CompletionKind {
    .custom { _, _, _ in InspectorCommand.editableBackends }
  }

  /// Completes the kinds of the stores at the path.
  static var kinds: CompletionKind {
    .custom { words, index, prefix in
      StoreCompletion.completions(words, at: index, prefix) { names, _, _ in names.kinds }
    }
  }

  /// Completes the names of the values at the path, with escaped control characters.
  static var valueNames: CompletionKind {
    .custom { words, index, prefix in
      StoreCompletion.completions(words, at: index, prefix) { names, prefix, kinds in
        names.values(withPrefix: prefix, of: kinds)
      }
    }
  }

  /// Completes the names of the tables at the path.
  ///
  /// Names with control characters are left out, because the commands do not resolve escapes in
  /// the names of tables.
  static var tableNames: CompletionKind {
    .custom { words, index, prefix in
      StoreCompletion.completions(words, at: index, prefix) { names, _, kinds in
        names.tables(of: kinds).map(\.name).filter { ValueText.safe($0) == $0 }
      }
    }
  }
}
