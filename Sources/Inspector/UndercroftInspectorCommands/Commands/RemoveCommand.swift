import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that removes named values.
struct RemoveCommand: TargetCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Removes values by their names.",
    discussion: """
      Without --kind, the only store that has all of the names is selected. \
      \(EditArguments.undoHelp)
      """)

  @Argument(help: .path, completion: .file())
  var path: String
  @Argument(help: "The names of the values.", completion: .valueNames) var names: [String]
  @Option(help: .kind, completion: .kinds) var kind: String?
  @OptionGroup var arguments: EditArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  private var selection: EditSelection { EditSelection(target: target, kind: kind, names: names) }

  func validate() throws {
    try target.validate()
    try arguments.require(selection.missingKind)
  }

  func run() throws {
    // A pager would show the result after the question.
    try Output.run(isPaged: arguments.dryRun) {
      var edit = try selection.edit()
      for name in names {
        guard let existing = try edit.existingName(name) else { throw missing(name) }
        let isRepeated = edit.changes.contains { $0.name.isExactly(existing) }
        if !isRepeated { edit.changes.append(.remove(existing)) }
      }
      try EditRun(command: "rm", target: target, arguments: arguments).run([edit])
      return []
    }
  }

  private func missing(_ name: String) -> StorageError {
    StorageError(
      .unavailable,
      """
      cannot remove the value \(quoted(name)): the store at \(quoted(target.path)) has no value \
      with this name
      """,
      suggestion: "run \"undercroft keys\" with this path to list the names; nothing was changed")
  }
}
