import UndercroftCore
import UndercroftInspection

/// A value or a table of a store, with its size.
struct SizedItem {
  /// The path of the store as the user has passed it, or `nil` if it is the only path.
  var target: String?
  let kind: String
  let name: String
  let byteCount: Int
  /// Whether the item is a table of rows.
  var isTable = false

  /// Passes the items of the stores to `body`.
  ///
  /// An item of a store with tables is a table. The size of a value that is not stored with its
  /// name is determined by reading the value.
  ///
  /// - Returns: the errors of the stores and paths that could not be read.
  static func forEach(
    in targets: FoundTargets, _ progress: Progress, _ body: (SizedItem) throws -> Void
  ) throws -> [Problem] {
    try targets.gatherStores { store in
      progress.begin(store.name)
      let opened = try store.open()
      progress.expect(opened.report.entryCount)
      try forEach(in: opened, store.name) { item in
        progress.advance()
        var item = item
        item.target = store.target
        try body(item)
      }
    }.problems
  }

  /// Passes the items of an open store to `body`.
  static func forEach(
    in opened: OpenedStore, _ kind: String, _ body: (SizedItem) throws -> Void
  ) throws {
    guard opened.report.isTabular, let tables = try opened.tables(countingRows: false) else {
      return try opened.forEachEntry { entry in
        let size = try entry.byteCount ?? opened.bytes(of: entry.name)?.count ?? 0
        try body(SizedItem(kind: kind, name: entry.name, byteCount: size))
        return true
      }
    }
    let sizes = try opened.tableSizes() ?? [:]
    for table in tables where !table.isView {
      // Virtual tables store nothing themselves, and so have no size.
      guard sizes.isEmpty || sizes[ExactString(table.name)] != nil else { continue }
      try body(
        SizedItem(
          kind: kind, name: table.name, byteCount: sizes[ExactString(table.name)] ?? 0,
          isTable: true))
    }
  }
}
