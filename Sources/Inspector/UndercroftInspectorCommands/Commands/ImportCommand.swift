import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that stores the named values of a file.
struct ImportCommand: TargetCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Stores the named values of a file.",
    discussion: """
      The file has one JSON object on each line, with the members name, and value (text) or \
      base64 (bytes), as written by "export --format ndjson". The member kind selects a store in \
      the home of an application, and the member removed (true) removes the value. If a line is \
      not valid, such as a placeholder of "export --redact", nothing is changed. The changes of \
      each store are one batch. An undo file is refused with the exit status 1 if a value was \
      changed after the file was written, unless --force is passed. \(EditArguments.undoHelp)
      """)

  @Argument(help: .path, completion: .file())
  var path: String
  @Argument(help: "The file, or \"-\" for standard input.", completion: .file()) var file: String
  @Option(help: "The kind of the lines without the member kind.", completion: .kinds)
  var kind: String?
  @Flag(help: "Restore old values also where other values were stored after the undo file.")
  var force = false
  @OptionGroup var arguments: EditArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func validate() throws {
    try target.validate()
    try target.requireSeparateInput(from: file)
    // A missing file is reported before missing options.
    if file == "-" || StoreFile(file) != nil { try arguments.require() }
  }

  func run() throws {
    // A pager would show the result after the question.
    try Output.run(isPaged: arguments.dryRun) {
      let stores = try target.stores()
      let content = try FileContent.readInput(file)
      // The file may have been created after the validation.
      try arguments.require()
      let lines = try EntryLines(content, from: file)
      let edits = try ImportPlan(stores: stores, kind: kind, overwrites: force).edits(of: lines)
      try EditRun(command: "import", target: target, arguments: arguments).run(edits)
      return []
    }
  }
}
