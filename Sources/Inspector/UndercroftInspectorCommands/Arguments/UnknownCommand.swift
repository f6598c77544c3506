import ArgumentParser
import Foundation
import UndercroftCore

/// A word of a command line that is not the name of a command, where only a command makes sense.
struct UnknownCommand {
  private let word: String
  /// The group of commands in which the word is unknown, or the tool itself.
  private let group: SelectedCommand
  private let names: [String]

  /// Returns `nil` if the word after the known commands is an option, or if the last known command
  /// has no subcommands.
  init?(in words: [String]) {
    group = SelectedCommand(in: words)
    let subcommands = group.type.configuration.subcommands.map { $0.configuration }
    names = group.subcommands + (group.names.isEmpty ? ["help"] : [])
    // The requests of completion scripts begin with hyphens.
    guard !subcommands.isEmpty, let word = words.dropFirst(group.names.count).first,
      !word.hasPrefix("-"), !(names + subcommands.flatMap { $0.aliases }).contains(word)
    else { return nil }
    self.word = word
  }

  /// The error with the command that the user may have meant.
  var sentence: String {
    let command = (group.names + [word]).joined(separator: " ")
    let reason = "cannot run \(quoted(command)): there is no such command"
    if let name = similarName {
      let meant = (group.names + [name]).joined(separator: " ")
      return "\(reason); did you mean \"\(meant)\"?"
    }
    let isPath = FileManager.default.fileExists(atPath: Target.location(of: word).path)
    guard group.names.isEmpty else { return "\(reason); \(choice(isPath))" }
    if isPath {
      let command = "undercroft ls \(ShellText.shown(word))"
      return "\(reason); to list the stores at this path, run: \(command)"
    }
    return "\(reason); \"undercroft --help\" lists the commands"
  }

  /// The suggestion to choose a command of the group, which precedes the path.
  private func choice(_ isPath: Bool) -> String {
    let commands = "choose one of these commands: \(names.joined(separator: ", "))"
    guard isPath, let first = names.first else { return commands }
    let line = (["undercroft"] + group.names + [first, ShellText.shown(word)])
    return "\(commands); for example, run: \(line.joined(separator: " "))"
  }

  /// The name that differs least from the word, or `nil` if all names differ much.
  private var similarName: String? {
    var nearest = NearestName(to: word)
    for name in names { nearest.compare(name) }
    return nearest.name
  }
}
