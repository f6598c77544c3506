public import ArgumentParser
import Foundation
import UndercroftCore
public import UndercroftInspection

/// The command of a tool that inspects and edits stores and whole applications.
///
/// A tool for additional backends is an executable that calls
/// ``main(supporting:queryEngine:disabledTraits:)``:
///
/// ```swift
/// @main enum Tool {
///   static func main() {
///     InspectorCommand.main(supporting: StoreInspectorFactory.standard + [.paper])
///   }
/// }
/// ```
public struct InspectorCommand: ParsableCommand {
  /// The name, the description and the subcommands.
  public static let configuration = CommandConfiguration(
    commandName: "undercroft",
    abstract: "Inspects stores and whole applications, and edits their values with --write.",
    discussion: """
      PATH is an application's home (the directory with undercroft.json), its name in the data \
      directory, the folder of a store, or the file of one. With several paths, each row has the \
      column target with its path. Secrets stay hidden unless you ask with --reveal and give \
      their key.

      The output is coloured, limited to 100 rows and shown with $PAGER only on a terminal. \
      NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE, COLUMNS, TERM and LESS have their usual \
      meanings.

      \(statusHeading)
      \(statuses)
      """,
    groupedSubcommands: groups)

  /// The name and the version of the tool.
  static let versionText = "undercroft 0.1.0"

  /// The line before the exit statuses in the help of the tool.
  static let statusHeading = "EXIT STATUS:"

  private static var statuses: String {
    ManualFacts.statuses.map { DisplayWidth.padded("  " + $0.name, to: 7) + $0.text }
      .joined(separator: "\n")
  }

  /// The inspector factories of the formats that the commands support.
  @TaskLocal static var factories: [StoreInspectorFactory] = []

  /// The closure that decompresses gzip data, or `nil` if no factory has one.
  static var decompression: StoreInspectorFactory.Decompression? {
    factories.lazy.compactMap(\.decompression).first
  }

  /// The backends whose stores the commands can write.
  static var editableBackends: [String] { factories.filter { $0.editing != nil }.map(\.scheme) }

  /// The engine that runs SQL statements, or `nil` if the tool has none.
  @TaskLocal static var queryEngine: (any StoreQueryEngine)?

  /// The traits of the package that were disabled when the tool was built.
  @TaskLocal static var disabledTraits: [String] = []

  /// Creates the command without arguments.
  public init() {}

  /// Parses the arguments of the process, runs the command, and exits if it fails.
  ///
  /// - Parameters:
  ///   - factories: the inspector factories of the formats that the tool supports.
  ///   - queryEngine: the engine that runs SQL statements, or `nil` for none.
  ///   - disabledTraits: the traits of the package that were disabled when the tool was built.
  ///     The command `doctor` reports them.
  public static func main(
    supporting factories: [StoreInspectorFactory], queryEngine: (any StoreQueryEngine)? = nil,
    disabledTraits: [String] = []
  ) {
    StandardStream.reserveAll()
    Interruption.handle()
    if let invalid = InvalidArgument() {
      Output.error(invalid.sentence)
      Foundation.exit(EX_USAGE)
    }
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "--version" {
      try? Output.text(versionText)
      Foundation.exit(EXIT_SUCCESS)
    }
    let issues = IssueNotes()
    $factories.withValue(factories) {
      $queryEngine.withValue(queryEngine) {
        $disabledTraits.withValue(disabledTraits) {
          StorageError.$issueReceiver.withValue(IssueReceiver { issues.note($0) }) {
            run(StatementArguments.separatingStatement(in: Array(arguments)))
          }
        }
      }
    }
  }

  /// Runs the command with arguments, and exits if it fails.
  private static func run(_ words: [String]) {
    // The parser of the arguments shows the help of the tool for a command that does not exist.
    let command = words.first == "help" ? Array(words.dropFirst()) : words
    if let unknown = UnknownCommand(in: command) {
      Output.error(unknown.sentence)
      Foundation.exit(EX_USAGE)
    }
    if let repeated = RepeatedKind(in: words) { exit(withUsageError: repeated.message) }
    var parsed: any ParsableCommand
    do {
      parsed = try parseAsRoot(words)
    } catch {
      if exitCode(for: error) == .validationFailure, let unknown = UnknownOption(in: words) {
        exit(withUsageError: unknown.message)
      }
      exit(withError: error)
    }
    do {
      try parsed.run()
    } catch {
      // The parser returns the help as an error of the command `help`, also for the flag `--help`.
      let reference = SelectedCommand(in: command).exampleReference
      let text = fullMessage(for: error)
      guard exitCode(for: error) == .success, text.hasPrefix("OVERVIEW: "), let reference else {
        exit(withError: error)
      }
      try? Output.text(text + "\n" + reference)
      Foundation.exit(EXIT_SUCCESS)
    }
  }

  private static func exit(withUsageError message: String) -> Never {
    Console.note(message)
    Foundation.exit(EX_USAGE)
  }
}
