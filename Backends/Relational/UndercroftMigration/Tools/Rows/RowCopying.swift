import UndercroftCore
import UndercroftSQLite

/// The insertion of the rows of a query into a table, after a closure has converted them.
struct RowCopying {
  /// The maximum number of converted rows that are in memory before they are inserted.
  private static let slice = 100
  /// The number of rows between two reports of progress.
  private static let rowsPerReport = 1_000

  let operation: SchemaOperation
  let query: SQL
  let target: SchemaObject
  let columns: [String]

  func run(
    in db: Connection, _ progress: MigrationProgress?,
    _ convert: (borrowing Row) throws -> [(any SQLBindable)?]?
  ) throws -> Int {
    guard !columns.isEmpty else {
      throw operation.failure(
        "the argument \"columns\" names no column",
        suggestion: "name at least one column in the argument \"columns\"")
    }
    guard try readsTarget(in: db) || hasTriggers(in: db) else {
      return try copy(query, in: db, progress, convert)
    }
    // Inserted rows could reappear as rows of the query, so its result
    // is stored in a temporary table first.
    let rows = try db.unusedName("undercroft_migration_rows")
    try db.execute("CREATE TABLE main.\(identifier: rows) AS \(query)")
    let count = try copy("SELECT * FROM main.\(identifier: rows)", in: db, progress, convert)
    try db.execute("DROP TABLE main.\(identifier: rows)")
    return count
  }

  private func copy(
    _ query: SQL, in db: Connection, _ progress: MigrationProgress?,
    _ convert: (borrowing Row) throws -> [(any SQLBindable)?]?
  ) throws -> Int {
    let total =
      progress == nil ? 0 : try db.fetchValue("SELECT count(*) FROM (\(query))", as: Int.self)
    let names = columns.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
    let placeholders = columns.map { _ in "?" as SQL }.joined(separator: ", ")
    let insert: SQL =
      "INSERT INTO main.\(identifier: target.name) (\(names)) VALUES (\(placeholders))"
    var (readCount, count) = (0, 0)
    var rows: [[SQLValue]] = []
    try db.forEach(query) { row in
      if let values = try convert(row) { rows.append(try operation.values(values, for: columns)) }
      readCount += 1
      guard rows.count == Self.slice || readCount % Self.rowsPerReport == 0 else { return }
      try operation.run(insert, for: rows, in: db)
      count += rows.count
      rows.removeAll(keepingCapacity: true)
      if readCount % Self.rowsPerReport == 0 { try progress?(readCount, of: total) }
    }
    try operation.run(insert, for: rows, in: db)
    try progress?(readCount, of: total)
    return count + rows.count
  }

  /// Returns whether the target table has triggers.
  ///
  /// A trigger could write to a table that the query reads, so that the query returns the written
  /// rows as well.
  private func hasTriggers(in db: Connection) throws -> Bool {
    try db.schema().contains {
      $0.kind == .trigger && $0.table.folded == target.name.folded
    }
  }

  /// Returns whether the query opens the target table or one of its indexes. (`EXPLAIN`)
  private func readsTarget(in db: Connection) throws -> Bool {
    let roots = Set(
      try db.fetchAll(
        "SELECT rootpage FROM main.sqlite_schema WHERE tbl_name = \(target.name) COLLATE NOCASE"
      ) { row in try row[0] as Int64 })
    var reads = false
    try db.forEachUntil("EXPLAIN \(query)") { row in
      let isOpening = try row["opcode"] as String == "OpenRead"
      if isOpening, roots.contains(try row["p2"]), try row["p3"] as Int64 == 0 { reads = true }
      return reads ? .stop : .continue
    }
    return reads
  }
}
