import ArgumentParser
import Foundation
import Synchronization
import UndercroftCore
import UndercroftInspection

/// A command that reads commands and SQL statements, and runs them on the stores at a path.
struct ShellCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shell",
    abstract: "Reads commands and SQL statements, and runs them on the stores at a path.",
    usage: "undercroft shell [<options>] <path>",
    discussion: """
      A line is a command without the path, such as "keys --prefix win", or an SQL statement, \
      which begins with SELECT, WITH or EXPLAIN or ends with a semicolon. Words are quoted as in \
      other shells. "use KIND" limits the following commands to a kind, "use" to none, and "exit" \
      or Ctrl-D ends the shell. Ctrl-C discards the line, or ends the running command. Tab \
      completes names. A line that begins with # is a comment.

      Typed lines are stored in ~/.local/state/undercroft/history, but no lines that begin with a \
      blank or that may contain a secret. If standard input is not a terminal, its lines are run \
      without a prompt.
      """)

  @Argument(help: .path, completion: .file())
  var path: String

  @Option(help: .keyFile, completion: .file())
  var keyFile: String?

  @Flag(help: "Neither read nor write the history.") var noHistory = false

  @Flag(help: "End at the first command that fails, with its exit status.") var fail = false

  @OptionGroup var terminal: TerminalArguments

  func validate() throws {
    try ValidationError.requirePath(path)
  }

  func run() throws {
    // The commands of the shell write to the terminal themselves.
    try Output.run(isPaged: false) {
      // A path without stores is reported before the first line is read.
      _ = try Inspector(InspectorCommand.factories).stores(at: Target.location(of: path))
      if isatty(STDIN_FILENO) == 1 { try runOnTerminal() } else { try runScript() }
      return []
    }
  }

  /// The options of the shell that also apply to its commands.
  private var options: [(name: String, words: [String])] {
    var options = terminal.options
    if let keyFile { options.append(("key-file", ["--key-file", keyFile])) }
    return options
  }

  private func runScript() throws {
    let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(input) }
    var session = ShellSession(path: path, options: options, input: input)
    try run(&session, PlainLineReader(hasPrompt: false)) { _ in }
  }

  private func runOnTerminal() throws {
    let history = noHistory ? nil : ShellHistory()
    // The terminal sends the signal of Ctrl-C also to the running command, which the signal ends.
    Interruption.ignoreInterrupts()
    TerminalModes.save()
    var session = ShellSession(path: path, options: options, input: nil)
    let names = InspectorCommand.configuration.subcommands.compactMap {
      $0.configuration.commandName
    }
    let completer = ShellCompleter(path: session.path, commands: names)
    let factories = InspectorCommand.factories
    let kind = SelectedKind()
    let editor = EditedLineReader(history: history?.lines ?? []) { line in
      InspectorCommand.$factories.withValue(factories) {
        completer.completions(of: line, kind: kind.name.withLock { $0 })
      }
    }
    if editor == nil {
      InputPrompt.showAfterStop()
      Output.note(
        "lines cannot be edited, because the terminal is too simple or libedit is not installed")
    }
    let reader: any LineReader = editor ?? PlainLineReader(hasPrompt: true)
    try run(&session, reader) { line in
      history?.append(line)
    } afterwards: { session in
      kind.name.withLock { $0 = session.kind }
    }
  }

  private func run(
    _ session: inout ShellSession, _ reader: any LineReader, record: (String) -> Void,
    afterwards: (ShellSession) -> Void = { _ in }
  ) throws {
    while true {
      switch reader.next(prompt: session.prompt) {
      case .end: return
      case .cancelled: continue
      case .line(let line):
        record(line)
        let result = session.run(line)
        afterwards(session)
        switch result {
        case .exit: return
        case .status(0): continue
        case .status(let status):
          // The terminal has shown "^C" or "^\" for the signal that ended the command.
          if session.input == nil, [SIGINT, SIGQUIT].contains(status - 128) { try Output.text("") }
          if fail { throw ExitCode(status) }
        }
      }
    }
  }
}

/// The kind that the user has selected, which the completion needs.
private final class SelectedKind: Sendable {
  let name = Mutex<String?>(nil)
}
