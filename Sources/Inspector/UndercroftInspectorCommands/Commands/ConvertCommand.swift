import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that copies the values of a store into a new store of another backend.
struct ConvertCommand: TargetCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Copies the values of a store into a new store of another backend.",
    usage: "undercroft convert [<options>] <path> <destination> --to <to>",
    discussion: """
      The bytes of the values and the names, as "keys" lists them, remain unchanged: JSON in a \
      new store of property lists is still JSON, which a note on standard error reports. The new \
      store is complete and compared with the old one before it appears at its path. A vault as \
      new store needs --key-file or --ask-passphrase. A passphrase that does not open the old \
      store is typed twice.
      """)

  @Argument(help: .path, completion: .file())
  var path: String
  @Argument(help: "The path of the new store, which must not exist.", completion: .file())
  var destination: String
  @Option(help: .newBackend, completion: .editableBackends) var to: String
  @Option(help: .kind, completion: .kinds) var kind: String?
  @Flag(help: "Allow storing confidential values without encryption.") var reveal = false
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func validate() throws {
    try target.validate()
    let backends = InspectorCommand.editableBackends
    guard backends.contains(to) else {
      throw ValidationError(
        "--to is \(quoted(to)). Pass one of these backends: "
          + backends.joined(separator: ", "))
    }
    try ValidationError.requirePath(destination, named: "destination")
  }

  func run() throws {
    // A pager would show the result outside of the report.
    try Output.run(isPaged: false) {
      guard let factory = InspectorCommand.factories.first(where: { $0.scheme == to }),
        let editing = factory.editing
      else { return [] }
      let source = try Output.asUsageErrors(.auto) { try self.source(for: factory) }
      let conversion = StoreConversion(
        source: source, factory: factory, editing: editing, mayReveal: reveal)
      let summary = try conversion.run(to: URL(filePath: destination))
      let values = EnglishText.counted(summary.count, "value")
      let size = ByteText.readable(summary.byteCount)
      let report = ChangeReport(
        summary: "converted \(values) (\(size)) from \(source.scheme) to \(to)",
        details: ["the new store is \(quoted(destination))"])
      try report.reporting { try Output.text(report.summary) }
      if to == "propertyLists" { Self.noteOtherFormats(in: summary) }
      return []
    }
  }

  /// Writes a note about the values in a new store of property lists that are no property lists.
  private static func noteOtherFormats(in summary: StoreConversion.Summary) {
    let others = summary.count - summary.propertyListCount
    guard others > 0 else { return }
    Output.note(
      """
      \(others) of \(summary.count) \(summary.count == 1 ? "value is" : "values are") not in the \
      format of property lists, because the bytes remain unchanged; other programs cannot read \
      the files with the extension .plist of these values
      """)
  }

  /// Returns the old store, with the credentials that also open the new one.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the user has typed two different passphrases.
  private func source(for factory: StoreInspectorFactory) throws -> DiscoveredStore {
    let access = access
    guard factory.vault != nil, access.askPassphrase, access.keyFile == nil else {
      return try target.store(of: kind)
    }
    // If the old store is a vault, the passphrase must open it, so a mistyped one has no effect.
    let old = try target.store(of: kind, credentials: InspectionCredentials())
    guard old.vault == nil else { return try target.store(of: kind) }
    // The user should not type a passphrase twice for a store that cannot be created.
    try StoreConversion.requireAbsence(of: URL(filePath: destination), for: factory)
    let typed = try Passphrase.readNew()
    return try target.store(
      of: kind, credentials: InspectionCredentials(passphrase: { typed }))
  }
}
