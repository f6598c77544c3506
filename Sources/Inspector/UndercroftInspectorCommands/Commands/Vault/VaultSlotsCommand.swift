import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that lists the slots of a vault, and adds or removes one.
struct VaultSlotsCommand: SelectedVaultCommand {
  static let configuration = CommandConfiguration(
    commandName: "slots",
    abstract: "Lists the slots of a vault, each of which one key opens; adds or removes one.",
    discussion: """
      A change needs --write and a key that opens the vault. A key file that does not exist is \
      created. With several lines on standard input, the first one is the present passphrase and \
      the second one the new passphrase. A removed key still opens old copies of the vault; to \
      change the key that encrypts the values, use "vault rekey".
      """)

  @Argument(help: .path, completion: .file())
  var path: String
  @OptionGroup var further: FurtherArguments
  @Option(help: .kind, completion: .kinds) var kind: String?
  @Option(help: "Add the key in this file; a missing file is created.", completion: .file())
  var addKeyFile: String?
  @Flag(help: "Ask for a new passphrase, and add it.") var addPassphrase = false
  @Option(help: "Remove the slot with this number.") var remove: Int?
  @OptionGroup var writing: VaultWriteArguments
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func validate() throws {
    try ValidationError.requirePath(path)
    guard changeCount <= 1 else {
      throw ValidationError(
        """
        Only one slot is changed at a time. Pass one of --add-key-file, --add-passphrase and \
        --remove.
        """)
    }
    if changeCount > 0 { try writing.requireWrite() }
  }

  /// The number of changes that the arguments request; without a change, the slots are listed.
  private var changeCount: Int {
    (addKeyFile == nil ? 0 : 1) + (addPassphrase ? 1 : 0) + (remove == nil ? 0 : 1)
  }

  func run() throws {
    // A pager would show the result after the question, and outside of the report.
    try Output.run(output.format, isPaged: changeCount == 0) {
      try Output.asUsageErrors(output.format) {
        let vault = try vault()
        guard let change = try change() else {
          try VaultSlotRows.write(try vault.summary().slots, output)
          return
        }
        try writing.confirm(
          remove.map { "Remove the slot \($0) of the vault \(quoted(vault.path))?" }
            ?? "Add a slot to the vault \(quoted(vault.path))?")
        // Another process continues with its own key if a slot is added.
        try vault.change(change, affectsOthers: remove != nil, writing)
        // A removed key, which the credentials may contain, opens no slot.
        let shown = remove == nil ? vault : vault.withoutCredentials
        let report = ChangeReport(
          summary: remove.map { "removed the slot \($0) of the vault \(quoted(vault.path))" }
            ?? "added a slot to the vault \(quoted(vault.path))")
        try report.reporting { try VaultSlotRows.write(try shown.summary().slots, output) }
      }
      return []
    }
  }

  private func change() throws -> VaultInspection.Change? {
    if let remove { return .removeSlot(remove) }
    if let addKeyFile { return .add(InspectionCredentials(keyFile: URL(filePath: addKeyFile))) }
    guard addPassphrase else { return nil }
    let typed = try Passphrase.readNew()
    return .add(InspectionCredentials(passphrase: { typed }))
  }
}
