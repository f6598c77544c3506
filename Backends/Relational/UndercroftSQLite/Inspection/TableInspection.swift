import CSQLite
import UndercroftCore
import UndercroftFoundation
import UndercroftInspection

/// A namespace for reading the tables (`InspectedTable`) and rows (`InspectedRows`) of a database
/// for inspection, through any connection.
enum TableInspection {
  /// The time that the rows of a view may take.
  private static let rowTime = Duration.seconds(60)

  static func tables(
    in connection: Connection, countingRows: Bool = true
  ) throws(StorageError) -> [InspectedTable] {
    let found = try connection.withStatement(
      """
      SELECT name, coalesce(sql, ''), type FROM sqlite_schema
      WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
      """
    ) { (statement) throws(StorageError) in
      var found: [(String, String, Bool)] = []
      while try statement.step() {
        let row = Row(statement: statement.raw)
        found.append((try row[0], try row[1], try row[2] as String == "view"))
      }
      return found
    }
    var (compiling, counting) = (ViewTime(), ViewTime())
    return found.map { name, definition, isView in
      let columns = compiling.spend(isView) { Self.columns(of: name, in: connection) } ?? []
      var isDamaged = false
      let rowCount = counting.spend(isView) {
        countingRows ? count(of: name, in: connection, isDamaged: &isDamaged) : nil
      }
      var table = InspectedTable(
        name: name, columns: columns, rowCount: rowCount ?? nil, definition: definition)
      table.columnTypes =
        compiling.spend(isView) {
          names(
            """
            SELECT type FROM pragma_table_xinfo(\(name)) WHERE hidden IS NOT \(hidden) ORDER BY cid
            """, connection)
        } ?? []
      if !isView {
        table.keyColumns = names(
          "SELECT name FROM pragma_table_info(\(name)) WHERE pk > 0 ORDER BY pk", connection)
        table.generatedColumns = names(
          "SELECT name FROM pragma_table_xinfo(\(name)) WHERE hidden IN (2, 3) ORDER BY cid",
          connection)
        table.uniqueColumns = uniqueColumns(of: name, in: connection)
        table.nullableColumns = nullableColumns(of: name, in: connection)
        table.references = references(of: name, in: connection)
      }
      table.triggers = names(
        """
        SELECT sql FROM sqlite_schema
        WHERE type = 'trigger' AND tbl_name = \(name) COLLATE NOCASE AND sql IS NOT NULL ORDER BY name
        """, connection)
      table.isView = isView
      table.isDamaged = isDamaged
      return table
    }
  }

  /// The time that the views of a database may take together.
  ///
  /// A view that reads other views twice doubles the time for compiling it, so that a small file
  /// could take any time. SQLite refuses a view after a second or more.
  private struct ViewTime {
    private var remaining = Duration.seconds(5)

    /// Returns the result of `body`, or `nil` if `body` reads a view and no time remains.
    mutating func spend<Result>(_ isView: Bool, _ body: () -> Result) -> Result? {
      guard isView else { return body() }
      guard remaining > .zero else { return nil }
      let begin = ContinuousClock.now
      defer { remaining -= begin.duration(to: .now) }
      return body()
    }
  }

  /// Returns the sizes of the tables in bytes, with their indexes, or `nil` if SQLite was built
  /// without the virtual table `dbstat`.
  static func sizes(in connection: Connection) throws(StorageError) -> [ExactString: Int]? {
    do {
      return try connection.withStatement(
        """
        SELECT s.tbl_name, sum(d.pgsize) FROM dbstat d JOIN sqlite_schema s ON s.name = d.name
        WHERE d.aggregate = TRUE GROUP BY s.tbl_name
        """
      ) { (statement) throws(StorageError) in
        var sizes: [ExactString: Int] = [:]
        while try statement.step() {
          let row = Row(statement: statement.raw)
          sizes[ExactString(try row[0] as String)] = try row[1]
        }
        return sizes
      }
    } catch {
      if error.code == .corrupted || error.code == .io { throw error }
      return nil
    }
  }

  static func rows(
    of table: String, offset: Int, limit: Int, in connection: Connection
  ) throws(StorageError) -> InspectedRows {
    let type = try connection.withStatement(
      "SELECT type FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE"
    ) { (statement) throws(StorageError) -> String? in
      try statement.bind(table, at: 1)
      return try statement.step() ? Row(statement: statement.raw)[0] : nil
    }
    guard let type else {
      throw StorageError(
        .invalidKey,
        """
        cannot show the rows of \(quoted(table)): the inspected database has no table or view with \
        this name
        """,
        suggestion: "check the spelling, or list the tables of the inspected database",
        backend: SQLiteBackend.name)
    }
    let sql: SQL =
      "SELECT * FROM \(identifier: table) LIMIT \(max(0, limit)) OFFSET \(max(0, offset))"
    do {
      return try connection.bounded(
        steps: 200_000_000, time: type == "view" ? rowTime : nil
      ) {
        try rows(sql, of: table, in: $0)
      }
    } catch let error as StorageError {
      guard error.code == .interrupted else { throw error }
      throw exhausted(table, error)
    } catch {
      throw StorageError(
        .io,
        """
        cannot show the rows of \(quoted(table)): an SQL function, a tokenizer or \
        DatabaseOptions.planCheck threw an error: \(error)
        """,
        suggestion: "fix the cause of this error, and repeat the call",
        backend: SQLiteBackend.name, underlying: error)
    }
  }

  private static func exhausted(_ table: String, _ error: StorageError) -> StorageError {
    StorageError(
      .interrupted,
      """
      cannot show the rows of \(quoted(table)): the query was interrupted by \
      Database.interrupt(), or reached the limit of one minute or of 200 million instructions of \
      SQLite's virtual machine
      """,
      suggestion: """
        repeat the call; if the query is interrupted again, request fewer rows or a smaller \
        offset, or, instead of a view, show the tables from which the view reads
        """,
      backend: SQLiteBackend.name, underlying: error)
  }

  private static func rows(
    _ sql: SQL, of table: String, in connection: Connection
  ) throws -> InspectedRows {
    var columns = columns(of: table, in: connection)
    var budget = MemoryBudget()
    let rows = try connection.fetchAll(sql) { row in
      columns = row.names
      let values = try (0..<row.count).map { try InspectedValue(row.column($0)) }
      try budget.reserve(values, of: table)
      return values
    }
    return InspectedRows(columns: columns, rows: rows)
  }

  /// Passes the rows of a table to `row` one by one, as ``TableInspectable`` requires.
  static func forEachRow(
    of table: String, offset: Int, in connection: Connection,
    columns: ([String]) throws -> Void, row: ([InspectedValue]) throws -> Bool
  ) throws {
    // Throws if there is no such table.
    let names = try rows(of: table, offset: 0, limit: 0, in: connection).columns
    var hasRows = false
    let sql: SQL = "SELECT * FROM \(identifier: table) LIMIT -1 OFFSET \(max(0, offset))"
    // The rows of a view can be computed without end, and can be larger than the database.
    let isView = try isView(table, in: connection)
    do {
      try connection.bounded(
        steps: isView ? 200_000_000 : .max, time: isView ? rowTime : nil
      ) { connection in
        try connection.forEachUntil(sql) { values in
          if !hasRows { try columns(values.names) }
          hasRows = true
          let needsMore = try row((0..<values.count).map { try InspectedValue(values.column($0)) })
          return needsMore ? .continue : .stop
        }
      }
    } catch let error as StorageError where error.code == .interrupted {
      throw exhausted(table, error)
    }
    if !hasRows { try columns(names) }
  }

  static func isView(_ name: String, in connection: Connection) throws -> Bool {
    try connection.fetchOne(
      "SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = \(name) COLLATE NOCASE"
    ) { _ in true } ?? false
  }

  // A failure results in no columns or no count, so that one damaged table, or one table whose
  // module is missing, does not hide the other tables.

  private static func references(
    of table: String, in connection: Connection
  ) -> [InspectedReference] {
    let parts = try? connection.fetchAll(
      """
      SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(\(table)) ORDER BY id, seq
      """
    ) { row in
      (
        id: try row[0] as Int, table: try row[1] as String, column: try row[2] as String,
        target: try row[3] as String?
      )
    }
    let keys = Dictionary(grouping: parts ?? [], by: \.id).sorted { $0.key < $1.key }
    return keys.compactMap { _, parts in
      parts.first.map { first in
        InspectedReference(
          columns: parts.map(\.column), table: first.table,
          targetColumns: parts.compactMap(\.target))
      }
    }
  }

  private static func columns(of table: String, in connection: Connection) -> [String] {
    names(
      """
      SELECT name FROM pragma_table_xinfo(\(table)) WHERE hidden IS NOT \(hidden) ORDER BY cid
      """, connection)
  }

  /// The value of `hidden` for a column of a virtual table that `SELECT *` omits.
  ///
  /// The values 2 and 3 belong to generated columns, which `pragma_table_info` omits.
  static let hidden = 1

  static func names(_ sql: SQL, _ connection: Connection) -> [String] {
    (try? connection.fetchAll(sql) { row in try row[0] as String }) ?? []
  }

  private static func count(
    of table: String, in connection: Connection, isDamaged: inout Bool
  ) -> Int? {
    do {
      return try connection.bounded(steps: 10_000_000, time: .seconds(5)) { connection in
        try connection.fetchOne("SELECT count(*) FROM \(identifier: table)") { row in
          try row[0] as Int
        }
      }
    } catch {
      isDamaged = (error as? StorageError)?.code == .corrupted
      return nil
    }
  }

  /// The memory budget for the rows of one call: 256 MiB.
  ///
  /// The first row is always accepted.
  private struct MemoryBudget {
    private static let byteCount = 268_435_456
    private var reservedByteCount = 0

    mutating func reserve(_ values: [InspectedValue], of table: String) throws(StorageError) {
      guard reservedByteCount < Self.byteCount else {
        throw StorageError(
          .tooLarge,
          """
          cannot show the requested rows of \(quoted(table)): the values of the rows exceed the \
          limit of \(Self.byteCount) bytes
          """,
          suggestion: "request fewer rows at a time", backend: SQLiteBackend.name)
      }
      for value in values {
        switch value {
        case .text(let text): reservedByteCount += text.utf8.count
        case .bytes(let bytes): reservedByteCount += bytes.count
        default: reservedByteCount += 8
        }
      }
    }
  }
}
