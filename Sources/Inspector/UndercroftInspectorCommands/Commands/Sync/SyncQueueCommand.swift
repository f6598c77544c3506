import ArgumentParser
import UndercroftInspection

/// A command that lists the local changes that a server has not confirmed.
struct SyncQueueCommand: TargetCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "Lists the local changes that a server has not confirmed, oldest first.",
    discussion: """
      The state is "captured" while further changes are combined with the change, "ready" before \
      it is sent, "sent" until its result arrives, "confirmed" if its effect was pulled before its \
      result, or "acknowledged" if its result came before its effect.
      """)

  @Argument(help: .path, completion: .file())
  var path: String
  @OptionGroup var further: FurtherArguments
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func run() throws {
    try Output.run(output.format) {
      try SyncedStores(of: target, kinds: selectedKinds).show(output) { sync, url in
        try sync.queue(url, output.limitOfQuery)
      }
    }
  }
}
