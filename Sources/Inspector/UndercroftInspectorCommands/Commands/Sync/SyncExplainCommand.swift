import ArgumentParser
import UndercroftInspection

/// A command that shows the reasons for the values of a synchronised row.
struct SyncExplainCommand: TargetCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Shows the reasons for the values of a synchronised row.",
    discussion: """
      On a device: the row that was pulled last, the operations that change it, the row that the \
      application sees, a version that waits, and the conflicts. On a server: the processed \
      operations, the stored row, and the version, the time and the device of the last write of \
      each column.
      """)

  @Argument(help: .path, completion: .file())
  var path: String
  @Argument(help: "The table of the row.", completion: .tableNames) var table: String
  @Argument(help: "The identifier of the row, or its integer key on a device.") var row: String
  @OptionGroup var further: FurtherArguments
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func run() throws {
    try Output.run(output.format) {
      try SyncedStores(of: target, kinds: selectedKinds).show(output) { sync, url in
        try sync.explanation(url, table, row)
      }
    }
  }
}
