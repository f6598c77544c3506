import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that searches for a text in the names and values of all stores at paths.
struct FindCommand: TargetCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Searches for a text in the names and values of all stores at a path.",
    discussion: """
      Each name, each value and each cell of a table that contains the text is one row, with an \
      excerpt around the first occurrence; further occurrences are not counted. Confidential \
      stores are not searched, which a note on standard error says. Values that are gzip data are \
      searched after decompression as well. The exit status is 1 if the text was not found. \
      \(RedactionArguments.help)
      """)

  @Argument(help: .path, completion: .file())
  var path: String
  @Argument(help: "The text to search for.") var text: String
  @Option(help: "Also search the stores at this path; can be repeated.", completion: .file())
  var also: [String] = []
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @Flag(help: "Search only in names.") var names = false
  @Flag(help: "Search only in values.") var values = false
  @Flag(name: .shortAndLong, help: "Ignore the case of ASCII letters.") var ignoreCase = false
  @Option(
    parsing: .unconditional,
    help: "The maximum number of decompressed bytes of a gzip value to search; 0 for none.")
  var decompressedLimit = 1 << 26
  @OptionGroup var redaction: RedactionArguments
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func validate() throws {
    try target.validate()
    if text.isEmpty { throw ValidationError("The text is empty. Pass the text to search for.") }
    if decompressedLimit < 0 {
      throw ValidationError(
        "--decompressed-limit is \(decompressedLimit). Pass a number of at least 0.")
    }
    for path in also { try ValidationError.requirePath(path, named: "also") }
    if names, values {
      throw ValidationError("--names cannot be combined with --values. Omit one of them.")
    }
  }

  func run() throws {
    try Output.run(output.format) {
      var search = newSearch()
      let found = try FoundTargets(at: [target.path] + also, of: selectedKinds, access).existing
      let column = TargetColumn(of: found)
      let progress = Progress("searching", stores: found.stores.count)
      defer { progress.end() }
      search.progress = progress
      var writer = ResultWriter(
        column.columns(["kind", "table", "key", "column", "part", "excerpt"]), output)
      var note = RedactionNote(for: search.redactor)
      var wasFound = false
      var skipped: [String] = []
      var problems = found.problems
      for store in found.stores {
        progress.begin(store.name)
        do {
          let opened = try store.open()
          guard !opened.isConfidential else {
            skipped.append(store.target.map { "\($0): \(store.name)" } ?? store.name)
            continue
          }
          let needsMore = try search.run(in: opened) { match in
            wasFound = true
            if writer.needsMore { note.examine([match.key, match.excerpt]) }
            return try writer.write(
              column.row(
                store.target,
                [
                  .text(store.name), ResultValue(match.table), .text(match.key),
                  ResultValue(match.column), .text(match.part.rawValue), .text(match.excerpt),
                ]))
          }
          if !needsMore { break }
        } catch let error as StorageError {
          problems.append(Problem(store: store, error: error))
        }
      }
      try writer.end()
      note.write()
      search.compressed?.noteUnsearchedBytes()
      noteOmissions(skipped, wasFound: wasFound)
      if !wasFound { throw Output.Ending(problems: problems) }
      return problems
    }
  }

  /// Returns a search with the arguments of the command.
  private func newSearch() -> StoreSearch {
    let pattern = BytePattern(text, ignoresCase: ignoreCase)
    var search = StoreSearch(pattern: pattern, redactor: redaction.redactor)
    search.compressed = InspectorCommand.decompression.map {
      CompressedSearch(for: pattern, limit: decompressedLimit, by: $0)
    }
    if names { search.parts = [.name] }
    if values { search.parts = [.value] }
    return search
  }

  /// Writes notes about the confidential stores that were not searched, and about a search without
  /// a result.
  private func noteOmissions(_ skipped: [String], wasFound: Bool) {
    if !skipped.isEmpty {
      let names = skipped.map { quoted($0) }.joined(separator: ", ")
      Output.note("confidential stores are left out: \(names)")
    }
    if !wasFound, Terminal.isOutput {
      Output.note(ignoreCase ? "nothing was found" : "nothing was found; -i ignores case")
    }
  }
}
