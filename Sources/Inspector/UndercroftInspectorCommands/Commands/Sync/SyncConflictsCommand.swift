import ArgumentParser
import UndercroftInspection

/// A command that lists the conflicts of synchronised databases, or shows one conflict.
struct SyncConflictsCommand: TargetCommand {
  static let configuration = CommandConfiguration(
    commandName: "conflicts",
    abstract: "Lists the conflicts, oldest first, or shows both sides of one conflict.",
    discussion: """
      The values of a conflict are those that were lost. With the identifier of a conflict, the \
      present row and the operations that change it are shown as well.
      """)

  @Argument(help: .path, completion: .file())
  var path: String
  @Argument(help: "The identifier of a conflict.") var conflict: String?
  @OptionGroup var further: FurtherArguments
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func run() throws {
    try Output.run(output.format) {
      try SyncedStores(of: target, kinds: selectedKinds).show(output) { sync, url in
        guard let conflict else { return try sync.conflicts(url, output.limitOfQuery) }
        return try sync.conflict(url, conflict)
      }
    }
  }
}
