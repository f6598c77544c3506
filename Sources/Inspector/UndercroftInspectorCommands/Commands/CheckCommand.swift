import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that reads the stores at paths completely, and reports damage.
struct CheckCommand: TargetsCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Reads the stores at paths completely, and reports damage.",
    discussion: """
      The state of each store or part is ok, damaged, violated, not decoded or not checked. The \
      exit status is 65 if a store is damaged, and 1 if foreign keys are only violated, which an \
      application may have switched off, or values are only not decoded, whose keys may have \
      another codec. A store whose key is not given and a part that needs a function or a \
      collation of the application are not checked, which does not change the exit status unless \
      only that store was requested; with --strict, the exit status is then 1 instead of 0. The \
      backends files, propertyLists, gdbm and sqlite store no checksums: their values are read, \
      gzip data is tested, and values are decoded if the manifest names a codec, but a value that \
      was replaced is not recognised. The reason says what was examined.
      """)

  @Argument(help: .paths, completion: .file())
  var paths: [String]
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @Flag(help: "Exit with status 1 instead of 0 if a store or a part is not checked.")
  var strict = false
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func run() throws {
    try Output.run(output.format) {
      let found = try targets.existingStores(of: selectedKinds)
      let column = TargetColumn(of: found)
      let progress = Progress("checking", stores: found.stores.count)
      defer { progress.end() }
      let checked = try found.stores.map { store in
        progress.begin(store.name)
        return try CheckedStore(store)
      }
      let only = checked.count == 1 && !found.isSeveral ? checked.first : nil
      if let only, only.isUnreadable, let problem = only.problem {
        guard only.store.kind != nil else { throw problem.error }
        throw Problems(all: [problem])
      }
      let snapshots = SnapshotFolder.shared
      let rows = checked.flatMap { checked in
        checked.results.map { result in
          column.row(
            checked.store.target,
            [
              .text(checked.store.name), .text(result.state.rawValue),
              ResultValue(result.reason.map { snapshots.namingStores(in: $0) }),
            ])
        }
      }
      try Output.rows(column.columns(["kind", "state", "reason"]), rows, output)
      // The rows contain the errors of the stores, so only those of the paths are reported.
      Output.report(found.problems, in: output.format)
      if checked.contains(where: \.isDamaged) { throw ExitCode(EX_DATAERR) }
      if let only, only.problem != nil { throw ExitCode(EX_NOPERM) }
      if let status = Output.status(of: found.problems + checked.compactMap(\.problem)) {
        throw ExitCode(status)
      }
      if checked.contains(where: \.hasViolations) { throw ExitCode(1) }
      if strict, checked.contains(where: \.isIncomplete) { throw ExitCode(1) }
      return []
    }
  }
}
