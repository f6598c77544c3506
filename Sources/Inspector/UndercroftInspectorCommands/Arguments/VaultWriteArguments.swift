import ArgumentParser

/// The arguments of commands that change a vault.
struct VaultWriteArguments: ParsableArguments {
  @Flag(help: "Allow the command to change the vault.") var write = false

  @Flag(help: "Do not ask before the vault is changed.") var yes = false

  @Flag(help: "Change the vault even if a key loses access to it.")
  var allowLosingAccess = false

  @OptionGroup var waiting: WaitArguments

  /// Throws an error that names all missing arguments together, unless the user allows changes, and
  /// can be asked or wants no question.
  func requireWrite() throws(ValidationError) {
    var missing: [String] = []
    if !write { missing.append("The command changes a vault. Add --write to allow this.") }
    if !yes, !Confirmation.isPossible {
      missing.append(
        "The command asks before it changes a vault, but there is no terminal. Add --yes to skip "
          + "the question.")
    }
    if !missing.isEmpty { throw ValidationError(missing.joined(separator: " ")) }
  }

  /// Asks whether to make a change, unless the user wants no question.
  ///
  /// - Throws: an `ExitCode` if the user does not agree.
  func confirm(_ question: String) throws {
    if !yes { try Confirmation.ask(question) }
  }
}
