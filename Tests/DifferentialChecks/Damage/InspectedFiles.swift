import Foundation
import Undercroft
import UndercroftCore
import UndercroftGDBM
import UndercroftInspection

/// What the commands of the inspector read of a store, without its output.
enum InspectedFiles {
  private static let factories = StoreInspectorFactory.standard + [.gdbm]
  private static let maximumCount = 1_000

  /// Reads the reports, entries, values, tables and rows at a path, as the commands `info`,
  /// `check`, `keys`, `get`, `tree` and `rows` do.
  static func readAll(at url: URL, _ sample: SampleStore) throws {
    if sample.isDocument { return show(try Data(contentsOf: url)) }
    var credentials = InspectionCredentials()
    credentials.keyFile = sample.keyFile.map { url.deletingLastPathComponent().appending(path: $0) }
    var failure: StorageError?
    for store in try Inspector(factories, credentials: credentials).stores(at: url) {
      // Each command is a separate call, which the failure of another command does not prevent.
      for command in [report, check, entries, values, rows] {
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

  private static func show(_ bytes: Data) { _ = ValueText.readable(bytes) }
}
