import ArgumentParser
import Foundation

/// The description of a command and its arguments, as help texts, manual pages and completions need
/// it.
struct CommandDescription: Decodable {
  let commandName: String
  let abstract: String?
  let discussion: String?
  let shouldDisplay: Bool?
  private let subcommands: [CommandDescription]?
  private let arguments: [ArgumentDescription]?

  enum CodingKeys: String, CodingKey {
    case commandName = "commandName"
    case abstract = "abstract"
    case discussion = "discussion"
    case shouldDisplay = "shouldDisplay"
    case subcommands = "subcommands"
    case arguments = "arguments"
  }

  /// The subcommands that help texts show.
  var displayedSubcommands: [CommandDescription] {
    (subcommands ?? []).filter { $0.shouldDisplay ?? true }
  }

  /// The arguments that help texts show, in their order.
  var displayedArguments: [ArgumentDescription] { (arguments ?? []).filter(\.shouldDisplay) }

  /// The arguments without names, in their order.
  var positionals: [ArgumentDescription] { displayedArguments.filter { $0.kind == .positional } }

  /// Whether the first argument is the path of the stores.
  var inspectsPath: Bool { positionals.first?.valueName == "path" }

  /// Returns the argument without a name to which the word at an index belongs, or `nil` if the
  /// command accepts fewer words.
  func positional(at index: Int) -> ArgumentDescription? {
    if positionals.indices.contains(index) { return positionals[index] }
    return positionals.last.flatMap { $0.isRepeating ? $0 : nil }
  }

  /// Returns the option or flag with a long or short name, without its hyphens.
  func argument(named name: String) -> ArgumentDescription? {
    displayedArguments.first { $0.names?.contains { $0.name == name } ?? false }
  }

  /// Returns the description of a command type, whose subcommands it contains.
  ///
  /// The argument parser exports it only as JSON. (`--experimental-dump-help`)
  static func describing(_ type: any ParsableCommand.Type) throws -> CommandDescription {
    try JSONDecoder().decode(Tool.self, from: Data(type._dumpHelp().utf8)).command
  }

  private struct Tool: Decodable {
    let command: CommandDescription

    enum CodingKeys: String, CodingKey { case command = "command" }
  }

  /// Returns the description of the subcommand that `words` begin with, and the number of
  /// its words, or `nil` if there is no such subcommand.
  ///
  /// Only this subcommand is described, because a description of all subcommands takes longer than
  /// a completion should.
  static func subcommand(in words: [String]) -> (command: CommandDescription, words: Int)? {
    let selected = SelectedCommand(in: words)
    guard !selected.names.isEmpty, let command = try? describing(selected.type) else { return nil }
    return (command, selected.names.count)
  }
}
