import Foundation
import Undercroft
import UndercroftCore
import UndercroftGDBM
import UndercroftInspection
import UndercroftSQLite

/// What the commands of the inspector read of a store, without its output.
enum InspectedFiles {
  private static let factories = StoreInspectorFactory.standard + [.gdbm]
  private static let maximumCount = 1_000

  /// Reads the reports, entries, values, tables and rows at a path, as the commands `info`,
  /// `check`, `keys`, `get`, `tree`, `rows`, `query`, `schema`, `migrations` and `log` do.
  static func readAll(at url: URL, _ sample: SampleStore) throws {
    if sample.isDocument { return show(try Data(contentsOf: url)) }
    var credentials = InspectionCredentials()
    credentials.keyFile = sample.keyFile.map { url.deletingLastPathComponent().appending(path: $0) }
    var failure: StorageError?
    for store in try Inspector(factories, credentials: credentials).stores(at: url) {
      // Each command is a separate call, which the failure of another command does not prevent.
      for command in [report, check, entries, values, rows, query, schema, log] {
        do {
          try command(store)
        } catch let error as StorageError {
          failure = error
        }
      }
    }
    if let failure { throw failure }
  }

  private static func report(_ store: DiscoveredStore) throws {
    for fact in try store.open().report.facts { _ = ValueText.safe(fact.text) }
  }

  private static func check(_ store: DiscoveredStore) throws { _ = try store.open().check() }

  private static func entries(_ store: DiscoveredStore) throws {
    var count = 0
    try store.open().forEachEntry { entry in
      _ = ValueText.safe(entry.name)
      count += 1
      return count < maximumCount
    }
  }

  private static func values(_ store: DiscoveredStore) throws {
    var count = 0
    try store.open().forEachValue { _, bytes in
      show(bytes)
      count += 1
      return count < maximumCount
    }
  }

  private static func rows(_ store: DiscoveredStore) throws {
    let opened = try store.open()
    for table in try opened.tables() ?? [] {
      var count = 0
      try opened.forEachRow(of: table.name, columns: { _ in }) { row in
        for case .bytes(let bytes) in row { show(bytes) }
        count += 1
        return count < maximumCount
      }
    }
  }

  private static func query(_ store: DiscoveredStore) throws {
    let queried = QueriedStore(name: "shelf", url: store.url, store: try store.open())
    let isTabular = try queried.store.tables() != nil
    let sql = isTabular ? "SELECT * FROM shelf.sqlite_schema" : "SELECT * FROM shelf"
    let engine = SQLiteQueryEngine()
    _ = try engine.plan(of: sql, on: [queried], limits: QueryLimits())
    try engine.run(sql, on: [queried], limits: QueryLimits(), columns: { _ in }, row: { _ in true })
  }

  private static func schema(_ store: DiscoveredStore) throws {
    _ = try store.schema?.text(store.url, SchemaInspection.Parts())
    _ = try store.migrations?.history(store.url)
  }

  private static func log(_ store: DiscoveredStore) throws {
    guard store.logColumns != nil else { return }
    var count = 0
    try store.forEachLogRecord { _ in
      count += 1
      return count < maximumCount
    }
  }

  private static func show(_ bytes: Data) { _ = ValueText.readable(bytes) }
}
