import ArgumentParser

/// The arguments of the commands that change a store.
struct EditArguments: ParsableArguments {
  @Flag(help: "Allow the command to change the store.") var write = false
  @Flag(help: "Only show what would change.") var dryRun = false
  @Flag(help: "Do not ask for a confirmation.") var yes = false
  @Flag(help: "Do not save the old values. A confidential store needs this flag.")
  var noUndo = false
  @Option(help: "The seconds to wait while another process writes to the store.") var wait = 0.0

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
    guard wait.isFinite, (0...86_400).contains(wait) else {
      throw ValidationError("--wait is \(wait). Pass a number of seconds from 0 to 86400.")
    }
  }

  /// The time to wait for another process that writes.
  var timeout: Duration { .seconds(wait) }
}
