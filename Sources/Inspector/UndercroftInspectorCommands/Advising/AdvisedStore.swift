import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// A store that the rules of advice examine.
struct AdvisedStore {
  /// The store as it was found.
  let discovered: DiscoveredStore
  let opened: OpenedStore
  /// The location that the user has passed: the home of an application, or the store.
  let location: URL
  /// All stores at ``location``, including those that are not examined.
  let allStores: [DiscoveredStore]
  /// The error of reading names and values without the key of the store, or `nil` if they can be
  /// read.
  let lockError: StorageError?
  /// The tables and views, which are listed once for all rules.
  let tables: [InspectedTable]
  /// The files of the store, at most ``StoreFile/maximumCount`` of them.
  let files: [StoreFile]
  /// The listings of folders, which all stores share.
  let listings: FolderListings
  /// The engine that runs SQL statements, or `nil` if the tool has none.
  let engine: (any StoreQueryEngine)?

  init(
    _ store: DiscoveredStore, of target: FoundTarget, engine: (any StoreQueryEngine)?,
    listedBy listings: FolderListings
  ) throws {
    discovered = store
    location = target.location
    allStores = target.allStores
    let opened = try store.open()
    self.opened = opened
    lockError = try opened.lockError()
    tables = opened.report.isTabular ? try opened.tables(countingRows: false) ?? [] : []
    files = StoreFile.all(at: store.url, listedBy: listings)
    self.listings = listings
    self.engine = engine
  }

  /// The kind of the store, or its backend if it has no kind.
  var name: String { discovered.name }

  /// Whether rules may examine the tables of the store.
  var hasTables: Bool { opened.report.isTabular && !opened.isConfidential }

  /// Passes the tables except views to `body`.
  ///
  /// A table that `body` cannot read because of damage or a missing function of the application is
  /// skipped, because the command `check` reports it.
  func forEachTable(_ body: (InspectedTable) throws -> Void) throws {
    for table in tables where !table.isView {
      do {
        try body(table)
      } catch let error as StorageError {
        guard [.misuse, .notSupported, .corrupted].contains(error.code) else { throw error }
      }
    }
  }

  /// Passes the names and sizes of the values to `body`, unless the store is locked or has tables.
  func forEachValue(_ body: (String, Int) throws -> Void) throws {
    guard lockError == nil, !opened.report.isTabular else { return }
    try opened.forEachEntry { entry in
      try body(entry.name, try entry.byteCount ?? opened.bytes(of: entry.name)?.count ?? 0)
      return true
    }
  }

  /// Returns the number of rows of a table, or `limit` if there are more.
  func rowCount(of table: InspectedTable, limit: Int) throws -> Int {
    var count = 0
    try opened.forEachRow(of: table.name, columns: { _ in }) { _ in
      count += 1
      return count < limit
    }
    return count
  }

  /// Returns statements that create indexes with which a statement would read fewer rows.
  ///
  /// The result is empty if the statement cannot be compiled, such as one that needs a function of
  /// the application.
  func suggestedIndexes(for sql: String) throws -> [String] {
    guard let engine else { return [] }
    let stores = [try queried()]
    do {
      return try engine.plan(of: sql, on: stores, limits: QueryLimits()).suggestedIndexes
    } catch let error as StorageError where error.code != .busy {
      return []
    }
  }

  /// Returns the store as statements refer to it: its tables are in the schema `main`.
  func queried() throws(StorageError) -> QueriedStore {
    QueriedStore(name: "main", url: try discovered.contentURL(), store: opened)
  }
}
