import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that stores a value under a name.
struct SetCommand: TargetCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Stores a value under a name.",
    discussion: """
      The value is an argument, the content of a file, or standard input ("-"). In the home of an \
      application, the value is stored as the application encodes it: JSON is expected for the \
      codec json, and --encoding text stores a text as JSON. Other users of the computer can see \
      arguments, so pass secrets in a file or on standard input. Without --kind, the only store \
      that has the name is selected. \(EditArguments.undoHelp)
      """)

  @Argument(help: .path, completion: .file())
  var path: String
  @Argument(help: "The name of the value.", completion: .valueNames) var name: String
  @Argument(help: "The value, or \"-\" for standard input.") var value: String?
  @Option(help: "The file that contains the value.", completion: .file()) var file: String?
  @Option(help: "The form in which the value is passed; the default depends on the codec.")
  var encoding: ValueEncoding?
  @Option(help: .kind, completion: .kinds) var kind: String?
  @OptionGroup var arguments: EditArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func validate() throws {
    try target.validate()
    guard (value == nil) != (file == nil) else {
      throw ValidationError("Pass either a value or --file.")
    }
    try target.requireSeparateInput(from: file ?? value)
    try arguments.require(selection.missingKind)
  }

  private var selection: EditSelection { EditSelection(target: target, kind: kind, names: [name]) }

  func run() throws {
    // A pager would show the result after the question.
    try Output.run(isPaged: arguments.dryRun) {
      var edit = try selection.edit()
      let store = edit.store
      let existing = try edit.existingName(self.name)
      let name = existing ?? self.name.precomposedStringWithCanonicalMapping
      try store.check(name: name)
      edit.changes = [.set(name, try bytes(for: store))]
      if existing == nil { try Self.noteCreation(of: name, in: edit) }
      try EditRun(command: "set", target: target, arguments: arguments).run([edit])
      return []
    }
  }

  /// Returns the bytes of the value in the form of a store.
  ///
  /// A value that the store cannot have is wrong usage if it is an argument. In a file or standard
  /// input, it is data that is not valid, as for `import`.
  private func bytes(for store: DiscoveredStore) throws -> Data {
    let conversion = ValueConversion(codec: store.codec)
    guard let value, value != "-" else {
      return try conversion.bytes(from: FileContent.readInput(file ?? "-"), as: encoding)
    }
    return try Output.asUsageErrors(.auto, .decodingFailed) {
      try conversion.bytes(from: Data(value.utf8), as: encoding)
    }
  }

  /// Writes a note that the name is new, with the most similar name in the store, because the name
  /// may be mistyped.
  private static func noteCreation(of name: String, in edit: StoreEdit) throws {
    var nearest = NearestName(to: name)
    // The names in a confidential store are not shown.
    if !edit.isConfidential, let opened = edit.opened { try nearest.compareEntries(of: opened) }
    let similar = nearest.name.map { "; the most similar name is \(quoted($0))" } ?? ""
    Output.note("the value \(quoted(name)) does not exist yet, so it is created\(similar)")
  }
}
