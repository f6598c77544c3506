import ArgumentParser
import Foundation
import Undercroft
import UndercroftInspection

struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Lists the names of the values at a path, with their sizes.")

  @OptionGroup var place: Place
  @Option(help: "Only values of this kind.") var kind: String?
  @Option(help: "Only names that begin so.") var prefix: String = ""
  @Option(help: "text or json.") var format: OutputFormat = .text

  private struct Row: Encodable {
    let kind: String?
    let name: String
    let bytes: Int?
  }

  func run() throws {
    try Output.run {
      let stores = try place.stores(of: kind).filter { $0.exists || $0.kind == nil }
      var rows: [Row] = []
      for store in stores {
        do {
          rows += try store.open().entries(withPrefix: prefix)
            .map { Row(kind: store.kind, name: $0.name, bytes: $0.byteCount) }
        } catch let error as StorageError where error.code == .locked && stores.count > 1 {
          Output.note("undercroft: left out \(store.kind ?? store.scheme): \(error.message)")
        }
      }
      switch format {
      case .json: try Output.json(rows)
      case .text:
        Output.table(
          rows.map { row in
            [row.kind, row.name, row.bytes.map { "\($0)" } ?? "-"].compactMap { $0 }
              .map { ValueText.safe($0) }
          })
      }
    }
  }
}
