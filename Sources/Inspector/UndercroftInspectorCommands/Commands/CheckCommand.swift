import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that reads the stores at a path completely, and reports damage.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Reads the stores at a path completely, and reports damage.",
    discussion: "The exit status is 65 if a store is damaged.")

  @OptionGroup var target: Target
  @Option(help: "Only the store of this kind.", completion: .kinds) var kind: String?
  @OptionGroup var output: RowArguments

  func run() throws {
    try Output.run(output.format) {
      let stores = try target.existingStores(of: kind)
      let progress = Progress("checking", stores: stores.count)
      defer { progress.end() }
      var isDamaged = false
      let (rows, problems) = try Problem.gather(from: stores) { store -> [[ResultValue]] in
        let name = ResultValue.text(store.kind ?? store.scheme)
        progress.begin(store.kind ?? store.scheme)
        let opened = try store.open()
        let damage = try opened.damage()
        guard !damage.isEmpty else { return [[name, .text("ok"), .absent]] }
        isDamaged = true
        return damage.map { [name, .text("damaged"), .text($0)] }
      }
      let unread = problems.map { problem -> [ResultValue] in
        [
          .text(problem.store.kind ?? problem.store.scheme), .text("not checked"),
          .text(problem.error.failure),
        ]
      }
      try Output.rows(["store", "state", "damage"], rows.flatMap(\.self) + unread, output)
      if isDamaged { throw ExitCode(EX_DATAERR) }
      return problems
    }
  }
}
