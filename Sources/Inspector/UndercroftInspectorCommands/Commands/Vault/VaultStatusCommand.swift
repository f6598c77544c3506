import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that shows the format, slots, permissions and age of a vault, and who has it open.
struct VaultStatusCommand: SelectedVaultCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Shows the format, slots, permissions and age of a vault, and who has it open.",
    discussion: "With a key, the records are counted. Without a key, the vault is locked.")

  @Argument(help: .path, completion: .file())
  var path: String
  @OptionGroup var further: FurtherArguments
  @Option(help: .kind, completion: .kinds) var kind: String?
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  private static let columns = [
    "path", "format", "state", "entries", "records", "epoch", "slots", "bytes", "mode", "owner",
    "modified", "ageSeconds", "openedBy", "warnings",
  ]
  private static let names = columns.map { $0 == "ageSeconds" ? "age" : $0 }

  func run() throws {
    try Output.run(output.format) {
      try Output.asUsageErrors(output.format) {
        let status = try VaultStatus(of: try vault())
        switch output.format {
        case .auto, .table:
          let block = RowBlock.text(Self.names, status.row(isText: true), output.options())
          try Output.bytes(Data(block.utf8))
        default: try Output.rows(Self.columns, [status.row(isText: false)], output)
        }
      }
      return []
    }
  }
}
