import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that decrypts and authenticates every record of a vault.
struct VaultVerifyCommand: SelectedVaultCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Decrypts and authenticates every record of a vault.",
    discussion: "The exit status is 65 if the vault is damaged.")

  @Argument(help: .path, completion: .file())
  var path: String
  @OptionGroup var further: FurtherArguments
  @Option(help: .kind, completion: .kinds) var kind: String?
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  private static let columns = ["path", "state", "entries", "records", "damage"]

  func validate() throws {
    try ValidationError.requirePath(path)
    try access.requireSingleKey()
  }

  func run() throws {
    try Output.run(output.format) {
      try Output.asUsageErrors(output.format) {
        let vault = try vault()
        let result = try vault.verify()
        let state = result.damage == nil ? "ok" : "damaged"
        try Output.rows(
          Self.columns,
          [
            [
              .text(vault.path), .text(state), ResultValue(result.entryCount),
              .integer(Int64(clamping: result.recordCount)), ResultValue(result.damage),
            ]
          ], output)
        if result.hasUnfinishedWrite {
          Output.note(
            """
            the vault ends with the incomplete record of a write that was interrupted; the next \
            write removes it
            """)
        }
        if result.damage != nil { throw ExitCode(EX_DATAERR) }
      }
      return []
    }
  }
}
