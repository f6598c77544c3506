import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that shows the changes that the logs of the stores at paths contain.
struct LogCommand: TargetsCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Shows the changes in the logs of the stores at paths, newest last.",
    discussion: """
      A journalled store has a line for each changed name since its last snapshot. A database with \
      a write-ahead log has a line for each transaction: the changed pages, the size of the \
      database in pages afterwards, the tables to which these pages belong now, and whether a \
      checkpoint has copied the pages into the database file. Other stores have no log. With \
      --limit, the newest lines are shown.
      """)

  @Argument(help: .paths, completion: .file())
  var paths: [String]
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  private static let columns = ["record", "offset", "bytes", "change", "name"]

  func run() throws {
    try Output.run(output.format) {
      let found = try targets.existingStores(of: selectedKinds)
      let stores = found.stores.filter { $0.logColumns != nil }
      var columns: [ExactString] = []
      for column in stores.flatMap({ $0.logColumns ?? [] }).map({ ExactString($0) })
      where !columns.contains(column) {
        columns.append(column)
      }
      let kinds = KindColumn(of: stores)
      var writer = ResultWriter(kinds.columns(Self.columns + columns.map(\.text)), output)
      // Without a limit, the rows are written at once, so that a long log does not fill the memory.
      var newest = output.maximumRows.map { NewestRows(limit: $0) }
      let (counts, problems) = try found.gather { target in
        let logged = target.stores.filter { $0.logColumns != nil }
        guard !logged.isEmpty else { throw noLog(target) }
        return try Problem.gather(from: logged) { store -> Int in
          let names = store.logColumns ?? []
          var count = 0
          try store.forEachLogRecord { record in
            count += 1
            let row = kinds.row(store, Self.row(record, names, columns))
            guard newest == nil else {
              newest?.append(row)
              return true
            }
            return try writer.write(row)
          }
          return count
        }
      }
      for row in newest?.rows ?? [] where try !writer.write(row) { break }
      try writer.end()
      if let newest, newest.isShortened, output.limit == nil {
        Output.note("the newest \(newest.rows.count) rows are shown; to show more, pass --limit")
      }
      if counts.allSatisfy({ $0 == 0 }), problems.isEmpty { Output.note("the log is empty") }
      return problems
    }
  }

  private static func row(
    _ record: InspectedLogRecord, _ names: [String], _ columns: [ExactString]
  ) -> [ResultValue] {
    let values = Dictionary(
      zip(names.map { ExactString($0) }, record.values), uniquingKeysWith: { first, _ in first })
    return [
      ResultValue(record.number), ResultValue(record.offset), ResultValue(record.byteCount),
      .text(record.change), ResultValue(record.name),
    ] + columns.map { values[$0] ?? .absent }
  }

  private func noLog(_ target: FoundTarget) -> StorageError {
    let backends = target.stores.map { quoted($0.scheme) }.joined(separator: ", ")
    let reason =
      switch target.stores.count {
      case 0: "the application has not created any store yet"
      case 1: "a store of the backend \(backends) has no log"
      default: "stores of the backends \(backends) have no log"
      }
    return StorageError(
      target.stores.isEmpty ? .unavailable : .notSupported,
      "cannot show the log of \(quoted(target.path)): \(reason)",
      suggestion: "run \"undercroft watch\" to see the changes that applications make from now on")
  }
}
