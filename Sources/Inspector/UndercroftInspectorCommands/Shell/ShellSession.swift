import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A session of the shell, which runs each line as a command of the tool.
///
/// A command runs in a process of its own. Ctrl-C and errors therefore end only the command, and a
/// command behaves as it does outside of the shell.
struct ShellSession {
  /// The path that is inserted into commands.
  let path: String
  /// The options that are passed to the commands that have them, with their words.
  let options: [(name: String, words: [String])]
  /// The file descriptor of the standard input of commands, or `nil` for the terminal.
  let input: Int32?
  /// The kind that is passed to commands, or `nil` for all kinds.
  private(set) var kind: String?

  init(path: String, options: [(name: String, words: [String])], input: Int32?) {
    // A path that begins with a hyphen would be parsed as an option.
    self.path = path.hasPrefix("-") ? "./" + path : path
    self.options = options
    self.input = input
  }

  /// The result of a line.
  enum Result: Equatable {
    /// The line was run with an exit status.
    case status(Int32)
    /// The line ends the shell.
    case exit
  }

  /// The text before the cursor.
  var prompt: String {
    let name = ValueText.safe(URL(filePath: path).lastPathComponent)
    return name + (kind.map { " \(ValueText.safe($0))" } ?? "") + "> "
  }

  /// Runs a line.
  mutating func run(_ line: String) -> Result {
    do throws(StorageError) {
      switch try ShellLine(parsing: line) {
      case .empty: return .status(0)
      case .exit: return .exit
      case .use(let kind):
        if let kind { try requireKind(kind) }
        self.kind = kind
        return .status(0)
      case .query(let sql): return .status(try query(sql))
      case .plan(let sql): return .status(try query(sql, ["--explain"]))
      case .command(["help"]):
        try? Output.text(ShellHelp.text)
        return .status(0)
      case .command(let words): return .status(try run(try arguments(of: words)))
      }
    } catch {
      Output.error("\(error)")
      return .status(error.code == .misuse ? EX_USAGE : EX_NOINPUT)
    }
  }

  /// Returns the arguments of the tool for the words of a line.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the line does not begin with a command.
  func arguments(of words: [String]) throws(StorageError) -> [String] {
    guard let (command, count) = CommandDescription.subcommand(in: words) else {
      if words.first == "help" || words.first?.hasPrefix("-") ?? true { return words }
      throw StorageError(
        .misuse, "cannot run \(quoted(words.first ?? "")): there is no such command",
        suggestion: "type help for a list of the commands, or end an SQL statement with a semicolon"
      )
    }
    let rest = words.dropFirst(count)
    let parsed = CommandLineWords(rest, of: command)
    guard command.inspectsPath, !parsed.options.contains(where: { $0.name == "help" }) else {
      return words
    }
    var inserted = [path]
    if let kind, command.argument(named: "kind") != nil, parsed.value(of: "kind") == nil {
      inserted += ["--kind", kind]
    }
    for option in options where command.argument(named: option.name) != nil {
      // One key opens a store, and the passphrase of a line precedes the key file of the shell.
      let isReplaced = option.name == "key-file" && parsed.value(of: "ask-passphrase") != nil
      if parsed.value(of: option.name) == nil, !isReplaced { inserted += option.words }
    }
    return words.prefix(count) + inserted + rest
  }

  /// Runs an SQL statement, which names kinds itself.
  private func query(_ sql: String, _ flags: [String] = []) throws(StorageError) -> Int32 {
    try run(["query", path] + flags + options.flatMap(\.words) + ["--", sql])
  }

  private func run(_ arguments: [String]) throws(StorageError) -> Int32 {
    try ForegroundCommand.run(arguments, input: input)
  }

  /// Throws an error unless a store at the path has a kind.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if no store has this kind.
  private func requireKind(_ kind: String) throws(StorageError) {
    let kinds = StoreNames(at: path).kinds
    guard !kinds.contains(where: { $0.utf8.elementsEqual(kind.utf8) }) else { return }
    throw StorageError(
      .unavailable,
      "cannot use the kind \(quoted(kind)): no store at \(quoted(path)) has this kind",
      suggestion: kinds.isEmpty
        ? "omit the kind, because only the stores in a home directory have kinds"
        : "choose one of these kinds: \(kinds.joined(separator: ", "))")
  }
}
