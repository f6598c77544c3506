import ArgumentParser
import Foundation
import Undercroft
import UndercroftInspection

/// A command that lists the stores at a path.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "Lists the stores at a path: kind, backend, entries, bytes, location."
  )

  @OptionGroup var target: Target
  @Option(help: "text or json.") var format: OutputFormat = .text

  private struct Row: Encodable {
    var kind: String?
    let backend: String
    let path: String
    var format: String?
    var entries: Int?
    var bytes: Int?
    var facts: [String: String]?
    var problem: String?
    var reason: String?

    enum CodingKeys: String, CodingKey {
      case kind = "kind"
      case backend = "backend"
      case path = "path"
      case format = "format"
      case entries = "entries"
      case bytes = "bytes"
      case facts = "facts"
      case problem = "problem"
      case reason = "reason"
    }
  }

  func run() throws {
    try Output.run {
      let described = try target.stores().map { store in (store, try row(store)) }
      let rows = described.map(\.1.row)
      switch format {
      case .json: try Output.json(rows)
      case .text:
        try Output.table(
          [["KIND", "BACKEND", "ENTRIES", "BYTES", "LOCATION"]]
            + rows.map { row in
              [
                ValueText.safe(row.kind ?? "-"), ValueText.safe(row.backend),
                row.entries.map(String.init) ?? (row.format == nil ? "-" : "encrypted"),
                row.bytes.map(String.init) ?? "-",
                ValueText.safe(row.path) + (row.problem.map { "  (\(ValueText.safe($0)))" } ?? ""),
              ]
            })
      }
      return described.compactMap { store, answer in
        answer.error.map { Problem(store: store, error: $0) }
      }
    }
  }

  /// Returns the row of the output for a store, and the error that prevented reading the store.
  ///
  /// The error is `nil` if the store was read or does not exist yet. If a manifest lists the
  /// store, the row contains the error, so that the other stores of the manifest are still shown.
  ///
  /// - Throws: the error that prevented reading the store, if no manifest lists the store.
  private func row(_ store: DiscoveredStore) throws(StorageError) -> (
    row: Row, error: StorageError?
  ) {
    var row = Row(
      kind: store.kind, backend: store.scheme, path: store.url.path(percentEncoded: false))
    guard store.exists else {
      row.problem = "not created yet"
      return (row, nil)
    }
    do throws(StorageError) {
      let opened = try store.open()
      let report = opened.report
      row.format = report.format
      row.entries = report.entryCount == nil ? nil : try opened.entries().count
      row.bytes = report.byteCount
      if !report.facts.isEmpty {
        row.facts = Dictionary(report.facts.map { ($0.name, $0.text) }) { first, _ in first }
      }
      return (row, nil)
    } catch {
      if store.kind == nil { throw error }
      row.problem = error.code.rawValue
      row.reason = error.message
      return (row, error)
    }
  }
}
