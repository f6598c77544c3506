import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that shows the schema of a database, or compares it with the schema of another
/// database.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Shows the SQL that creates a database, or how it differs from another database.",
    discussion: """
      The text is that of a golden schema, as migrations use it. A difference has a line for each thing: + for what only the other one has, - \
      for what only this one has, ~ for what both have in other ways. The exit status is 1 then.
      """)

  @OptionGroup var target: Target
  @Option(help: "The kind of the store, if several are databases.", completion: .kinds)
  var kind: String?
  @Flag(help: "Write the rows as well.") var rows = false
  @Flag(help: "Leave out the indexes and full-text tables that declared tables create.")
  var withoutDeclared = false
  @Option(
    help: "Another database, or a file with the SQL of a schema, to compare with.",
    completion: .file())
  var diff: String?

  func validate() throws {
    if rows, diff != nil {
      throw ValidationError("--rows cannot be combined with --diff. Omit one of them.")
    }
    if withoutDeclared, diff != nil {
      throw ValidationError("--without-declared cannot be combined with --diff. Omit one of them.")
    }
  }

  func run() throws {
    try Output.run {
      let (store, schema) = try database(in: try target.stores(of: kind), at: target.path)
      guard let diff else {
        if rows, store.isConfidential || store.isEncrypted { throw Self.hidden(store) }
        var parts = SchemaInspection.Parts()
        (parts.includesRows, parts.includesDeclared) = (rows, !withoutDeclared)
        try show(try schema.text(store.url, parts))
        return []
      }
      guard let difference = try schema.difference(store.url, URL(filePath: diff)) else {
        return []
      }
      try show("\(difference)\n")
      throw ExitCode(1)
    }
  }

  private func database(
    in stores: [DiscoveredStore], at path: String
  ) throws -> (DiscoveredStore, SchemaInspection) {
    let databases = stores.filter { $0.schema != nil && ($0.exists || $0.kind == nil) }
    guard let first = databases.first, let schema = first.schema else {
      let selected = kind.map { " of the kind \(quoted($0))" } ?? ""
      throw StorageError(
        .unavailable,
        """
        cannot show the schema of \(quoted(path)): no existing store\(selected) at this path is a \
        database with a schema
        """,
        suggestion: "run \"undercroft ls\" with this path to list the stores")
    }
    // Several kinds may share one file.
    guard databases.allSatisfy({ $0.url == first.url }) else {
      let kinds = databases.compactMap(\.kind).joined(separator: ", ")
      throw StorageError(
        .unavailable,
        """
        cannot show the schema of \(quoted(path)): the kinds \(kinds) have different databases
        """,
        suggestion: "select one of the kinds with --kind")
    }
    return (first, schema)
  }

  /// Writes the text to standard output.
  ///
  /// Control characters are escaped only if standard output is a terminal.
  private func show(_ text: String) throws {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    try Output.bytes(Data((isTerminal ? ValueText.safe(text, keeping: ["\n", "\t"]) : text).utf8))
  }

  private static func hidden(_ store: DiscoveredStore) -> StorageError {
    let path = store.url.path(percentEncoded: false)
    let property = store.isEncrypted ? "encrypted" : "confidential"
    return StorageError(
      .locked,
      "cannot show the rows of the database \(quoted(path)): the rows contain \(property) values",
      suggestion: "omit --rows to show only the schema")
  }
}
