import ArgumentParser

/// A command that contains the commands for vaults.
struct VaultCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vault",
    abstract: "Examines a vault, and changes the keys that open it.",
    discussion: """
      PATH is a vault, or the home of an application with a vault. A passphrase is read from the \
      terminal without echo, or from standard input. The commands never show secrets.
      """,
    subcommands: [
      VaultStatusCommand.self, VaultSlotsCommand.self, VaultRekeyCommand.self,
      VaultVerifyCommand.self,
    ])
}
