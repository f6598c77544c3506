import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that reads the stores at paths completely, and reports damage.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Reads the stores at paths completely, and reports damage.",
    discussion: """
      The exit status is 65 if a store is damaged. A part that needs a function or a collation of \
      the application is not checked, and is no damage.
      """)

  @OptionGroup var targets: Targets
  @Option(help: .kind, completion: .kinds) var kind: String?
  @OptionGroup var output: RowArguments

  func run() throws {
    try Output.run(output.format) {
      let found = try targets.existingStores(of: kind)
      let column = TargetColumn(of: found)
      let progress = Progress("checking", stores: found.stores.count)
      defer { progress.end() }
      var isDamaged = false
      let (rows, problems) = try found.gatherStores { store -> [[ResultValue]] in
        let name = ResultValue.text(store.name)
        progress.begin(store.name)
        let opened = try store.open()
        let result = try opened.check()
        isDamaged = isDamaged || !result.damage.isEmpty
        let states =
          result == CheckResult()
          ? [[name, .text("ok"), .absent]]
          : result.damage.map { [name, .text("damaged"), .text($0)] }
            + result.unchecked.map { [name, .text("not checked"), .text($0)] }
        return states.map { column.row(store.target, $0) }
      }
      let unread = problems.map { problem -> [ResultValue] in
        column.row(
          problem.target,
          [
            ResultValue(problem.store?.name), .text("not checked"),
            .text(problem.error.failure),
          ])
      }
      try Output.rows(
        column.columns(["kind", "state", "reason"]), rows.flatMap(\.self) + unread, output)
      if isDamaged {
        Output.report(problems, in: output.format)
        throw ExitCode(EX_DATAERR)
      }
      return problems
    }
  }
}
