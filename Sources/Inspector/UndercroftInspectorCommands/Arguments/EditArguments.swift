import ArgumentParser

/// The arguments of the commands that change a store.
struct EditArguments: ParsableArguments {
  @Flag(help: "Allow the command to change the store.") var write = false
  @Flag(help: "Show what would change, and change nothing.") var dryRun = false
  @Flag(help: "Do not ask before the store is changed.") var yes = false
  @Flag(help: "Do not save the old values; a confidential store needs this flag.")
  var noUndo = false
  @OptionGroup var waiting: WaitArguments

  /// The sentences of the help about undo files.
  static let undoHelp = """
    The old values are saved in a file in the folder undercroft/undo of $XDG_STATE_HOME, by \
    default in ~/.local/state/undercroft/undo. The output shows the command that restores them, \
    and the command undo lists the files. The files remain until you remove them; the command \
    doctor gives their number and size.
    """

  /// The options of the run that the command of an undo repeats.
  var repeatedOptions: [String] {
    ["--write"] + (yes ? ["--yes"] : Confirmation.skippingOptions)
      + (waiting.wait > 0 ? ["--wait \(waiting.wait)"] : [])
  }

  /// Throws an error that names all missing arguments together.
  ///
  /// - Parameter selection: a sentence about a store that is not selected, or `nil`. It is
  ///   determined only if other arguments are missing, because it may read stores.
  func require(_ selection: @autoclosure () -> String? = nil) throws(ValidationError) {
    var missing: [String] = []
    if !write, !dryRun {
      missing.append(
        "The command changes a store. Add --write to allow this, or --dry-run to show the changes.")
    }
    if !yes, !dryRun, !Confirmation.isPossible {
      missing.append(
        "The command asks before it changes values, but there is no terminal. Add --yes to skip "
          + "the question.")
    }
    guard !missing.isEmpty else { return }
    if let sentence = selection() { missing.append(sentence) }
    throw ValidationError(missing.joined(separator: " "))
  }
}
