import ArgumentParser
import Foundation
import UndercroftCore

/// A first argument that is not the name of a command.
struct UnknownCommand {
  private let word: String
  private let names: [String]

  /// Returns `nil` if the word is an option or the name of a command.
  init?(_ word: String, in configuration: CommandConfiguration) {
    let commands = configuration.subcommands.map { $0.configuration }
    names = commands.compactMap { $0.commandName } + ["help"]
    // The requests of completion scripts begin with hyphens.
    guard !word.hasPrefix("-"), !(names + commands.flatMap { $0.aliases }).contains(word) else {
      return nil
    }
    self.word = word
  }

  /// The error with the command that the user may have meant.
  var sentence: String {
    let reason = "cannot run \(quoted(word)): there is no such command"
    if let name = similarName { return "\(reason); did you mean \"\(name)\"?" }
    if FileManager.default.fileExists(atPath: word) {
      let command = "undercroft ls \(ShellText.shown(word))"
      return "\(reason); to list the stores at this path, run: \(command)"
    }
    return "\(reason); \"undercroft --help\" lists the commands"
  }

  /// The name that differs least from the word, or `nil` if all names differ much.
  private var similarName: String? {
    var nearest = NearestName(to: word)
    for name in names { nearest.compare(name) }
    return nearest.name
  }
}
