import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that encrypts all values of a vault with a new key.
struct VaultRekeyCommand: SelectedVaultCommand {
  static let configuration = CommandConfiguration(
    commandName: "rekey",
    abstract: "Encrypts every record of a vault again with a new key.",
    discussion: """
      The new vault is opened by the given key file and passphrase, or only by those of \
      --new-key-file and --new-passphrase. Slots that no given key opens are lost, which needs \
      --allow-losing-access. The old file is replaced at once: if the command is killed, the vault \
      is the old one or the new one. An old copy of the file still has the old keys.
      """)

  @Argument(help: .path, completion: .file())
  var path: String
  @OptionGroup var further: FurtherArguments
  @Option(help: .kind, completion: .kinds) var kind: String?
  @Option(
    help: "The key file that opens the new vault; a missing file is created.", completion: .file())
  var newKeyFile: String?
  @Flag(help: "Ask for the passphrase that opens the new vault.") var newPassphrase = false
  @OptionGroup var writing: VaultWriteArguments
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func validate() throws {
    try ValidationError.requirePath(path)
    try writing.requireWrite()
  }

  func run() throws {
    // A pager would show the result after the question, and outside of the report.
    try Output.run(output.format, isPaged: false) {
      try Output.asUsageErrors(output.format) {
        let vault = try vault()
        let credentials = try newCredentials()
        try writing.confirm("Encrypt the vault \(quoted(vault.path)) again with a new key?")
        try vault.change(.rekey(to: credentials), affectsOthers: true, writing)
        let report = ChangeReport(
          summary: "encrypted the vault \(quoted(vault.path)) again with a new key")
        try report.reporting {
          try VaultSlotRows.write(try vault.withoutCredentials.summary().slots, output)
        }
      }
      return []
    }
  }

  private func newCredentials() throws -> InspectionCredentials? {
    guard newKeyFile != nil || newPassphrase else { return nil }
    var credentials = InspectionCredentials(keyFile: newKeyFile.map { URL(filePath: $0) })
    if newPassphrase {
      let typed = try Passphrase.readNew()
      credentials.passphrase = { typed }
    }
    return credentials
  }
}
