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
    guard word.utf8.count <= 20 else { return nil }
    let nearest = names.map { (name: $0, distance: Self.distance($0, word)) }
      .min { $0.distance < $1.distance }
    guard let nearest, nearest.distance <= max(1, word.utf8.count / 3) else { return nil }
    return nearest.name
  }

  /// Returns the number of bytes that must be inserted, removed, replaced or exchanged with their
  /// neighbour. (optimal string alignment)
  private static func distance(_ lhs: String, _ rhs: String) -> Int {
    let (left, right) = (Array(lhs.utf8), Array(rhs.utf8))
    var older: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
        var least = min(replaced, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, older[column - 1] + 1)
        }
        current.append(least)
      }
      (older, previous) = (previous, current)
    }
    return previous[right.count]
  }
}
