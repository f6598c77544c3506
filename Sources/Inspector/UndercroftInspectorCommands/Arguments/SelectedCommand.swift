import ArgumentParser
import UndercroftInspection

/// The command that the words of a command line begin with.
struct SelectedCommand {
  let type: any ParsableCommand.Type
  /// The words of the command without the name of the tool, or no words for the tool itself.
  let names: [String]

  /// Follows the words as long as they are names of subcommands.
  init(in words: [String]) {
    var type: any ParsableCommand.Type = InspectorCommand.self
    var names: [String] = []
    for word in words {
      let next = type.configuration.subcommands.first {
        ($0.configuration.commandName ?? "").utf8.elementsEqual(word.utf8)
      }
      guard let next else { break }
      type = next
      names.append(word)
    }
    self.type = type
    self.names = names
  }

  /// The names of the subcommands.
  var subcommands: [String] {
    type.configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  /// The last line of the help of a command whose manual page has examples, or `nil` if it has
  /// none.
  var exampleReference: String? {
    guard ManualExample.all.contains(where: { $0.command == names }) else { return nil }
    return "  See 'undercroft man \(names.joined(separator: " "))' for examples."
  }

  /// Returns an error about the arguments of the command, with its usage.
  func usageError(_ message: String) -> String {
    let words = (["undercroft"] + names).joined(separator: " ")
    return """
      Error: \(ValueText.safe(message))
      Usage: \(InspectorCommand.usageString(for: type))
        See '\(words) --help' for more information.
      """
  }
}
