import ArgumentParser

/// The arguments of commands that change a vault.
struct VaultWriteArguments: ParsableArguments {
  @Flag(help: "Allow the command to change the vault.") var write = false

  @Flag(help: "Do not ask before the vault is changed.") var yes = false

  @Flag(help: "Change the vault even if a key loses access to it.")
  var allowLosingAccess = false

  @OptionGroup var waiting: WaitArguments

  /// Throws unless the user allows changes, and can be asked or wants no question.
  func requireWrite() throws {
    guard write else {
      throw ValidationError("The command changes a vault. Add --write to allow this.")
    }
    guard yes || Confirmation.isPossible else {
      throw ValidationError(
        "The command asks before it changes a vault, but there is no terminal. Add --yes to skip "
          + "the question.")
    }
  }

  /// Asks whether to make a change, unless the user wants no question.
  ///
  /// - Throws: an `ExitCode` if the user does not agree.
  func confirm(_ question: String) throws {
    if !yes { try Confirmation.ask(question) }
  }
}
