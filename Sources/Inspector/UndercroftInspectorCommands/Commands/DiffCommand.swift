import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that shows the differences between the stores at two paths.
struct DiffCommand: TargetCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Shows the differences between the stores at two paths.",
    discussion: """
      A line begins with + for what only the second path has, with - for what only the first one \
      has, and with ~ for what differs. The exit status is 1 if there are differences. If only one \
      of the paths is a home, --kind selects the store of the home that is compared. Confidential \
      stores are not compared. \(RedactionArguments.help)
      """)

  @Argument(help: .path, completion: .file())
  var path: String
  @Argument(help: "The second path, which is a home directory or a store.", completion: .file())
  var other: String
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @OptionGroup var redaction: RedactionArguments
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func validate() throws {
    try target.validate()
    try ValidationError.requirePath(other, named: "other")
  }

  func run() throws {
    try Output.run(output.format) {
      let stores = try ComparedStores(target, other, of: selectedKinds)
      var writer = ResultWriter(["change", "kind", "table", "key", "old", "new"], output)
      var hasDifferences = false
      let progress = Progress("comparing")
      defer { progress.end() }
      let redactor = redaction.redactor
      var note = RedactionNote(for: redactor)
      var comparison = HomeComparison(redactor, progress)
      try comparison.run(stores.old, stores.new) { difference in
        hasDifferences = true
        if writer.needsMore { note.examine([difference.key, difference.old, difference.new]) }
        return try writer.write([
          .text(difference.change.rawValue), .text(difference.kind),
          ResultValue(difference.table), .text(difference.key), ResultValue(difference.old),
          ResultValue(difference.new),
        ])
      }
      try writer.end()
      note.write()
      for name in comparison.skipped {
        Output.note("the store \(quoted(name)) is confidential and was not compared")
      }
      if hasDifferences { throw Output.Ending(problems: comparison.problems) }
      return comparison.problems
    }
  }
}
