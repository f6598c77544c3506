import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that lists the names of the values at a path, with their sizes.
struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Lists the names of the values at a path, with their sizes.")

  @OptionGroup var target: Target
  @Option(help: "Only values of this kind.", completion: .kinds) var kind: String?
  @Option(help: "Only names that begin with this prefix.") var prefix: String = ""
  @OptionGroup var output: RowArguments

  func run() throws {
    let prefix = prefix.precomposedStringWithCanonicalMapping
    try Output.run(output.format) {
      let stores = try target.stores(of: kind).filter { $0.exists || $0.kind == nil }
      let hasKinds = stores.contains { $0.kind != nil }
      var options = output.options()
      options.hasHeader = output.format != .auto && output.format != .table
      var writer = ResultWriter(
        hasKinds ? ["kind", "name", "bytes"] : ["name", "bytes"], output, options)
      let (_, problems) = try Problem.gather(from: stores) { store in
        for entry in try store.open().entries(withPrefix: prefix) {
          let kind = hasKinds ? [ResultValue(store.kind)] : []
          guard try writer.write(kind + [.text(entry.name), ResultValue(entry.byteCount)]) else {
            return
          }
        }
      }
      try writer.end()
      return problems
    }
  }
}
