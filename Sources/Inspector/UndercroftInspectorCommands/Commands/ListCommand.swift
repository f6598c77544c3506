import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that lists the stores at paths.
struct ListCommand: TargetsCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "Lists the stores at paths: kind, backend, entries, size, location.",
    discussion: """
      Entries are named values. For a database, the number of its tables is shown; the command \
      stat counts their rows. The size of a folder with a file for each value is that of the \
      values; the command du counts all files of a store.
      """)

  @Argument(help: .paths, completion: .file())
  var paths: [String]
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  private struct Row {
    let kind: String?
    let backend: String
    let path: String
    var format: String?
    var entries: Int?
    var tables: Int?
    var bytes: Int?
    /// The word for a store whose values cannot be read without a key that is missing.
    var lockWord: String?
    var facts: [ExactString: String]?
    var problem: String?
    var reason: String?
  }

  func run() throws {
    try Output.run(output.format) {
      let found = try targets.stores(of: selectedKinds)
      let column = TargetColumn(of: found)
      let isText = output.format.isForPeople
      let (rows, problems) = try found.gather { target in
        let described = try target.stores.map { store in (store, try row(store)) }
        let rows = described.map { store, answer in
          column.row(
            store.target, isText ? Self.shown(answer.row, in: target) : Self.values(answer.row))
        }
        let problems = described.compactMap { store, answer in
          answer.error.map { Problem(store: store, error: $0) }
        }
        return (rows, problems)
      }
      try Output.rows(column.columns(isText ? Self.shownColumns : Self.columns), rows, output)
      return problems
    }
  }

  private static let shownColumns = ["kind", "backend", "entries", "size", "location"]
  private static let columns = [
    "kind", "backend", "format", "entries", "tables", "bytes", "path", "facts", "problem", "reason",
  ]

  private static func values(_ row: Row) -> [ResultValue] {
    let snapshots = SnapshotFolder.shared
    let facts = row.facts?.mapValues { ResultValue.text(snapshots.namingStores(in: $0)) }
    return [
      ResultValue(row.kind), .text(row.backend), ResultValue(row.format),
      ResultValue(row.entries), ResultValue(row.tables), ResultValue(row.bytes), .text(row.path),
      facts.map { .object($0) } ?? .absent, ResultValue(row.problem),
      ResultValue(row.reason.map { snapshots.namingStores(in: $0) }),
    ]
  }

  private static func shown(_ row: Row, in target: FoundTarget) -> [ResultValue] {
    let count = row.tables.map { ResultValue.text(EnglishText.counted($0, "table")) }
    return [
      ResultValue(row.kind), .text(row.backend),
      row.lockWord.map { .text($0) } ?? count ?? ResultValue(row.entries),
      ResultValue(row.bytes.map(ByteText.readable)),
      .text(location(row.path, in: target) + (row.problem.map { "  (\(words(of: $0)))" } ?? "")),
    ]
  }

  /// Returns words for a problem, which is the code of an error or a phrase.
  private static func words(of problem: String) -> String {
    problem == StorageError.Code.accessDenied.rawValue
      ? "no permission" : ColumnHeading.words(of: problem)
  }

  /// Returns the path of a store in a home relative to the home, and any other path unchanged.
  private static func location(_ path: String, in target: FoundTarget) -> String {
    var home = target.location.path(percentEncoded: false)
    if home.utf8.last != UInt8(ascii: "/") { home += "/" }
    guard path.utf8.starts(with: home.utf8), path.utf8.count > home.utf8.count else { return path }
    return String(decoding: path.utf8.dropFirst(home.utf8.count), as: UTF8.self)
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
      kind: store.kind, backend: store.scheme, path: store.path)
    guard store.exists else {
      row.problem = "not created yet"
      return (row, nil)
    }
    do throws(StorageError) {
      let opened = try store.open()
      let report = opened.report
      row.format = report.format
      row.tables = report.isTabular ? report.entryCount : nil
      row.entries = report.isTabular ? nil : try opened.visibleEntryCount()
      row.lockWord = row.entries == nil ? try opened.lockError()?.lockWord : nil
      row.bytes = report.byteCount
      if !report.facts.isEmpty {
        row.facts = Dictionary(report.facts.map { (ExactString($0.name), $0.text) }) { first, _ in
          first
        }
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
