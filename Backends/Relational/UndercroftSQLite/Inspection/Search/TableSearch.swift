import CSQLite
import UndercroftCore
import UndercroftFoundation
import UndercroftInspection

/// A search for the rows of a table that contain a pattern.
struct TableSearch {
  let table: String
  let pattern: BytePattern

  /// Passes the rows that contain the pattern to `body`, and the numbers of the other rows.
  ///
  /// - Parameters:
  ///   - view: the view of the database.
  ///   - columns: a closure that receives the names of the columns before the first step.
  ///   - body: a closure that receives a step, and returns whether it needs more steps.
  func run(
    in view: borrowing DatabaseView, columns: ([String]) -> Void,
    _ body: (RowSearchStep) throws -> Bool
  ) throws {
    let connection = view.connection
    // Throws if there is no such table.
    _ = try TableInspection.rows(of: table, offset: 0, limit: 0, in: connection)
    if try TableInspection.isView(table, in: connection) {
      return try TableInspection.forEachRow(
        of: table, offset: 0, in: connection, columns: columns, row: { try body(.row($0)) })
    }
    let presentsPages = view.presentsPages
    // A transaction holds the shared lock while pages are read without a statement.
    try connection.transaction(lock: .deferred) { connection in
      try connection.bounded(steps: .max) { connection in
        let all: SQL = "SELECT * FROM \(identifier: table)"
        columns(try connection.prepare(all) { statement in statement.columnNames })
        guard presentsPages, let scannable = try ScannableTable(table, pattern, in: connection)
        else { return try read(all, in: connection, body) }
        var scan = TableScan(pattern, in: scannable.pages)
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
        // SQLite reads the rest of the table, and reports any damage.
        try read("\(all) LIMIT -1 OFFSET \(scan.passedCount)", in: connection, body)
      }
    }
  }

  private func step(of row: borrowing Row) throws -> RowSearchStep {
    var searcher = ByteSearcher(pattern)
    let (isFound, byteCount) = row.find(&searcher)
    return isFound ? .row(try row.inspectedValues()) : .skipped(rows: 1, byteCount: byteCount)
  }

  /// Reads the rows of a query with SQLite.
  private func read(
    _ sql: SQL, in connection: Connection, _ body: (RowSearchStep) throws -> Bool
  ) throws {
    var searcher = ByteSearcher(pattern)
    var (rowCount, byteCount) = (0, 0)
    func pass() throws -> Bool {
      defer { (rowCount, byteCount) = (0, 0) }
      return try rowCount == 0 || body(.skipped(rows: rowCount, byteCount: byteCount))
    }
    var needsMore = true
    try connection.forEachUntil(sql) { row in
      let (isFound, size) = row.find(&searcher)
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

extension Statement {
  /// The names of the columns of the result, also before the first row. (`sqlite3_column_name`)
  fileprivate var columnNames: [String] {
    (0..<sqlite3_column_count(raw)).map { position in
      sqlite3_column_name(raw, position).map { String(cString: $0) } ?? ""
    }
  }
}

extension Row {
  /// Returns the values of all columns.
  fileprivate func inspectedValues() throws(StorageError) -> [InspectedValue] {
    var values: [InspectedValue] = []
    for position in 0..<count { values.append(try InspectedValue(column(position))) }
    return values
  }
}

extension DatabaseInspector: SearchableTables {
  func forEachRow(
    of table: String, searching pattern: BytePattern, columns: ([String]) throws -> Void,
    _ body: (RowSearchStep) throws -> Bool
  ) throws {
    let search = TableSearch(table: table, pattern: pattern)
    var names: [String] = []
    try stream(size: { $0.byteCount }) { view, add in
      try search.run(in: view, columns: { names = $0 }, add)
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
