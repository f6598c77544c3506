import ArgumentParser

/// The arguments of the commands that change a store.
struct EditArguments: ParsableArguments {
  @Flag(help: "Allow the command to change the store.") var write = false
  @Flag(help: "Show what would change, and change nothing.") var dryRun = false
  @Flag(help: "Do not ask before the store is changed.") var yes = false
  @Flag(help: "Do not save the old values; a confidential store needs this flag.")
  var noUndo = false
  @OptionGroup var waiting: WaitArguments

  func validate() throws {
    guard write || dryRun else {
      throw ValidationError(
        "The command changes a store. Add --write to allow this, or --dry-run to show the changes.")
    }
    guard yes || dryRun || Confirmation.isPossible else {
      throw ValidationError(
        "The command asks before it changes values, but there is no terminal. Add --yes to skip "
          + "the question.")
    }
  }
}
