import ArgumentParser

/// The arguments of commands that change a vault.
struct VaultWriteArguments: ParsableArguments {
  @Flag(help: "Allow the command to change the vault.") var write = false

  @Flag(help: "Change the vault even if a key loses access to it.") var yes = false

  @OptionGroup var waiting: WaitArguments

  /// Throws unless the user allows changes.
  func requireWrite() throws {
    guard write else {
      throw ValidationError("The command changes a vault. Add --write to allow this.")
    }
  }
}
