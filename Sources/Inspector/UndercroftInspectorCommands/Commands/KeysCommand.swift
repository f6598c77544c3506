import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that lists the names of the values at a path, with their sizes.
struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Lists the names of the values at a path, with their sizes.",
    discussion: "Databases have rows instead of named values, which the command rows shows.")

  @OptionGroup var target: Target
  @Option(help: .kind, completion: .kinds) var kind: String?
  @Option(help: "Only names that begin with this prefix.") var prefix: String = ""
  @OptionGroup var output: RowArguments

  func run() throws {
    let prefix = prefix.precomposedStringWithCanonicalMapping
    try Output.run(output.format) {
      let stores = try target.existingStores(of: kind)
      let kinds = KindColumn(of: stores)
      var writer = ResultWriter(kinds.columns(["name", "bytes"]), output)
      var hasNames = false
      let (_, problems) = try Problem.gather(from: stores) { store in
        let opened = try store.open()
        guard !opened.report.isTabular else { return }
        hasNames = true
        for entry in try opened.entries(withPrefix: prefix) {
          let row = kinds.row(store.kind, [.text(entry.name), ResultValue(entry.byteCount)])
          guard try writer.write(row) else { return }
        }
      }
      if !hasNames, problems.isEmpty, !stores.isEmpty { throw tablesOnly }
      try writer.end()
      return problems
    }
  }

  private var tablesOnly: StorageError {
    let selected = KindPhrase.of(kind)
    return StorageError(
      .unavailable,
      """
      cannot list names at \(quoted(target.path)): each store\(selected) at this path is a database \
      with tables, which has no named values
      """,
      suggestion: "run \"undercroft rows\" with this path to list the tables")
  }
}
