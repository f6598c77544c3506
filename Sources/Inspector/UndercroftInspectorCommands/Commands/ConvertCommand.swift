import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that copies the values of a store into a new store of another backend.
struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Copies the values of a store into a new store of another backend.",
    discussion: """
      The bytes of the values and the names, as "keys" lists them, remain unchanged. The new \
      store is complete and compared with the old one before it appears at its path. A vault as \
      new store needs --key-file or --ask-passphrase.
      """)

  @OptionGroup var target: Target
  @Argument(help: "The path of the new store, which must not exist.", completion: .file())
  var destination: String
  @Option(help: .newBackend, completion: .editableBackends) var to: String
  @Option(help: .kind, completion: .kinds) var kind: String?
  @Flag(help: "Allow that confidential values are stored without encryption.") var reveal = false

  func validate() throws {
    let backends = InspectorCommand.editableBackends
    guard backends.contains(to) else {
      throw ValidationError(
        "--to is \(quoted(to)). Pass one of these backends: "
          + backends.joined(separator: ", "))
    }
    try ValidationError.requirePath(destination, named: "destination")
  }

  func run() throws {
    try Output.run {
      let source = try target.store(of: kind)
      guard let factory = InspectorCommand.factories.first(where: { $0.scheme == to }),
        let editing = factory.editing
      else { return [] }
      let conversion = StoreConversion(
        source: source, factory: factory, editing: editing, mayReveal: reveal)
      let summary = try conversion.run(to: URL(filePath: destination))
      let values = "\(summary.count) \(summary.count == 1 ? "value" : "values")"
      let size = ByteText.readable(summary.byteCount)
      try Output.text("converted \(values) (\(size)) from \(source.scheme) to \(to)")
      return []
    }
  }
}
