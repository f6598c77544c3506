import UndercroftCore

/// An option that a command does not have.
///
/// The argument parser reports the word after it instead, if that looks like a further argument,
/// and suggests options that are not similar.
struct UnknownOption {
  private let selected: SelectedCommand
  private let option: String
  private let names: [String]

  /// Returns `nil` if the command has all long options of the words.
  init?(in words: [String]) {
    guard let (command, position) = CommandDescription.subcommand(in: words) else { return nil }
    let parsed = CommandLineWords(words.dropFirst(position), of: command)
    guard let option = parsed.unknownOptions.first else { return nil }
    self.option = option
    selected = SelectedCommand(in: words)
    names = command.displayedArguments.flatMap { ($0.names ?? []).map(\.text) }
      .filter { $0.hasPrefix("--") }
  }

  /// The error with the similar option and the usage of the command.
  var message: String {
    var nearest = NearestName(to: String(option.dropFirst(2)))
    for name in names { nearest.compare(String(name.dropFirst(2))) }
    let question = nearest.name.map { ". Did you mean '--\($0)'?" } ?? ""
    return selected.usageError("Unknown option '\(option)'" + question)
  }
}
