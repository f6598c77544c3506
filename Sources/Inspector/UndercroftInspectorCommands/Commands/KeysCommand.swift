import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that lists the names of the values at paths, with their sizes.
struct KeysCommand: TargetsCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Lists the names of the values at paths, with their sizes.",
    discussion: "Databases have rows instead of named values; the command rows shows them.")

  @Argument(help: .paths, completion: .file())
  var paths: [String]
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @Option(help: "Only names that begin with this prefix.") var prefix: String = ""
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func run() throws {
    let prefix = prefix.precomposedStringWithCanonicalMapping
    try Output.run(output.format) {
      let found = try targets.existingStores(of: selectedKinds)
      let kinds = KindColumn(of: found.stores)
      var writer = ResultWriter(kinds.columns(["name", "bytes"]), output)
      let (_, problems) = try found.gather { target in
        var hasNames = false
        let answer = try Problem.gather(from: target.stores) { store in
          let opened = try store.open()
          guard !opened.report.isTabular else { return }
          hasNames = true
          do {
            try opened.forEachSortedEntry(withPrefix: prefix) { entry in
              try writer.write(
                kinds.row(store, [.text(entry.name), ResultValue(entry.byteCount)]))
            }
          } catch let error as StorageError where found.stores.count == 1 && !found.isSeveral {
            // The error ends the command, so the names before the damage are written first.
            if writer.hasRows { try writer.end() }
            throw error
          }
        }
        if !hasNames, answer.problems.isEmpty, !target.stores.isEmpty { throw tablesOnly(target) }
        return answer
      }
      try writer.end()
      return problems
    }
  }

  private func tablesOnly(_ target: FoundTarget) -> StorageError {
    let selected = KindPhrase.of(selectedKinds)
    return StorageError(
      .unavailable,
      """
      cannot list names at \(quoted(target.path)): each store\(selected) at this path is a \
      database with tables, which has no named values
      """,
      suggestion: "run \"undercroft rows\" with this path to list the tables")
  }
}
