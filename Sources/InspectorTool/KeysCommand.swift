import ArgumentParser
import Foundation
import Undercroft
import UndercroftInspection

/// A command that lists the names of the values at a path, with their sizes.
struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Lists the names of the values at a path, with their sizes.")

  @OptionGroup var target: Target
  @Option(help: "Only values of this kind.") var kind: String?
  @Option(help: "Only names that begin with this prefix.") var prefix: String = ""
  @Option(help: "text or json.") var format: OutputFormat = .text

  private struct Row: Encodable {
    let kind: String?
    let name: String
    let bytes: Int?

    enum CodingKeys: String, CodingKey {
      case kind = "kind"
      case name = "name"
      case bytes = "bytes"
    }
  }

  func run() throws {
    let prefix = prefix.precomposedStringWithCanonicalMapping
    try Output.run {
      let stores = try target.stores(of: kind).filter { $0.exists || $0.kind == nil }
      let (found, problems) = try Problem.gather(from: stores) { store in
        try store.open().entries(withPrefix: prefix)
          .map { Row(kind: store.kind, name: $0.name, bytes: $0.byteCount) }
      }
      let rows = found.flatMap { $0 }
      switch format {
      case .json: try Output.json(rows)
      case .text:
        try Output.table(
          rows.map { row in
            [row.kind, row.name, row.bytes.map { "\($0)" } ?? "-"].compactMap { $0 }
              .map { ValueText.safe($0) }
          })
      }
      return problems
    }
  }
}
