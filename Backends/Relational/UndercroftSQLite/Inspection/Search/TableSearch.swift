import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// A search for the rows of a table with a value that fulfils a filter.
struct TableSearch {
  let table: String
  let filter: ValueFilter

  /// Passes the rows with such a value to `body`, and the numbers of the other rows.
  ///
  /// - Parameters:
  ///   - connection: the connection to the database.
  ///   - columns: a closure that receives the names of the columns before the first step.
  ///   - body: a closure that receives a step, and returns whether it needs more steps.
  func run(
    in connection: Connection, columns: ([String]) -> Void,
    _ body: (RowSearchStep) throws -> Bool
  ) throws {
    // Throws if there is no such table.
    _ = try TableInspection.rows(of: table, offset: 0, limit: 0, in: connection)
    if try TableInspection.isView(table, in: connection) {
      return try TableInspection.forEachRow(
        of: table, offset: 0, in: connection, columns: columns, row: { try body(.row($0)) })
    }
    // A transaction holds the shared lock while pages are read without a statement.
    try connection.transaction(lock: .deferred) { connection in
      try connection.bounded(steps: .max) { connection in
        let all: SQL = "SELECT * FROM \(identifier: table)"
        columns(try connection.prepare(all) { statement in statement.columnNames })
        guard let scannable = try ScannableTable(table, filter, in: connection) else {
          return try read(all, in: connection, body)
        }
        var scan = TableScan(filter, in: scannable.pages)
        let rowID = scannable.rowIDName
        let one: SQL = "SELECT * FROM \(identifier: table) WHERE \(identifier: rowID) = ?"
        let end = try connection.prepare(one) { statement in
          try scan.search(from: scannable.rootPage) { step in
            switch step {
            case .rows(let count, let size):
              return try body(.skipped(rows: count, byteCount: size)) ? .complete : .stopped
            case .candidate(let number):
              try statement.bind(number, at: 1)
              let needsMore = try statement.fetchOne { row in try body(self.step(of: row)) }
              // A row that SQLite does not find by its rowid is in a damaged table.
              return needsMore.map { $0 ? .complete : .stopped } ?? .unreadable
            }
          }
        }
        guard end == .unreadable else { return }
        // SQLite reads the rest of the table in the same order, and reports any damage.
        try read("\(all) LIMIT -1 OFFSET \(scan.passedCount)", in: connection, body)
      }
    }
  }

  private func step(of row: borrowing Row) throws -> RowSearchStep {
    var searcher = ByteSearcher(filter.pattern)
    let (isFound, byteCount) = row.find(filter, with: &searcher)
    return isFound ? .row(try row.inspectedValues()) : .skipped(rows: 1, byteCount: byteCount)
  }

  /// Reads the rows of a query with SQLite.
  private func read(
    _ sql: SQL, in connection: Connection, _ body: (RowSearchStep) throws -> Bool
  ) throws {
    var searcher = ByteSearcher(filter.pattern)
    var (rowCount, byteCount) = (0, 0)
    func pass() throws -> Bool {
      defer { (rowCount, byteCount) = (0, 0) }
      return try rowCount == 0 || body(.skipped(rows: rowCount, byteCount: byteCount))
    }
    var needsMore = true
    try connection.forEachUntil(sql) { row in
      let (isFound, size) = row.find(filter, with: &searcher)
      if isFound {
        needsMore = try pass() && body(.row(try row.inspectedValues()))
      } else {
        rowCount += 1
        byteCount += size
        // Each row would otherwise be a step of its own.
        if rowCount == 100 || byteCount > 1 << 20 { needsMore = try pass() }
      }
      return needsMore ? .continue : .stop
    }
    if needsMore { _ = try pass() }
  }
}

extension DatabaseInspector: SearchableTables {
  func forEachRow(
    of table: String, matching filter: ValueFilter, columns: ([String]) throws -> Void,
    _ body: (RowSearchStep) throws -> Bool
  ) throws {
    let search = TableSearch(table: table, filter: filter)
    var names: [String] = []
    try stream(size: { $0.byteCount }) { connection, add in
      try search.run(in: connection, columns: { names = $0 }, add)
    } begin: {
      try columns(names)
    } body: {
      try body($0)
    }
  }
}

extension RowSearchStep {
  /// The approximate size of the rows in bytes.
  fileprivate var byteCount: Int {
    switch self {
    case .skipped(_, let byteCount): byteCount
    case .row(let values): values.reduce(0) { $0 + $1.byteCount }
    }
  }
}
