/// The option `--kind` that is passed more than once to a command about one store.
///
/// The argument parser would silently use the last one.
struct RepeatedKind {
  private let selected: SelectedCommand
  private let count: Int

  /// Returns `nil` if the option is passed at most once, or if the command accepts several kinds.
  init?(in words: [String]) {
    // The description of a command takes longer to create than the other arguments to parse.
    guard words.count(where: { $0 == "--kind" || $0.hasPrefix("--kind=") }) > 1,
      let (command, position) = CommandDescription.subcommand(in: words),
      command.argument(named: "kind")?.isRepeating == false
    else { return nil }
    let parsed = CommandLineWords(words.dropFirst(position), of: command)
    count = parsed.options.count { $0.name == "kind" }
    guard count > 1 else { return nil }
    selected = SelectedCommand(in: words)
  }

  /// The error with the usage of the command.
  var message: String {
    selected.usageError(
      "--kind is passed \(count) times, and the command is about one store. Pass one kind.")
  }
}
