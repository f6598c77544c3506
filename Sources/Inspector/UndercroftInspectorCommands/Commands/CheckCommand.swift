import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that reads the stores at a path completely, and reports damage.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Reads the stores at a path completely, and reports damage.",
    discussion: """
      The exit status is 65 if a store is damaged. A part that needs a function or a collation of \
      the application is not checked, and is no damage.
      """)

  @OptionGroup var target: Target
  @Option(help: .kind, completion: .kinds) var kind: String?
  @OptionGroup var output: RowArguments

  func run() throws {
    try Output.run(output.format) {
      let stores = try target.existingStores(of: kind)
      let progress = Progress("checking", stores: stores.count)
      defer { progress.end() }
      var isDamaged = false
      let (rows, problems) = try Problem.gather(from: stores) { store -> [[ResultValue]] in
        let name = ResultValue.text(store.name)
        progress.begin(store.name)
        let opened = try store.open()
        let result = try opened.check()
        isDamaged = isDamaged || !result.damage.isEmpty
        guard result != CheckResult() else { return [[name, .text("ok"), .absent]] }
        return result.damage.map { [name, .text("damaged"), .text($0)] }
          + result.unchecked.map { [name, .text("not checked"), .text($0)] }
      }
      let unread = problems.map { problem -> [ResultValue] in
        [
          .text(problem.store.name), .text("not checked"),
          .text(problem.error.failure),
        ]
      }
      try Output.rows(["kind", "state", "reason"], rows.flatMap(\.self) + unread, output)
      if isDamaged { throw ExitCode(EX_DATAERR) }
      return problems
    }
  }
}
