import UndercroftCore
import UndercroftSQLite

/// The conversion of every row of one table by a closure, once for each row, in the order of the
/// keys.
struct RowConversion {
  /// The maximum number of rows that are read before the first of them is updated.
  private static let slice = 1_000

  private let operation: SchemaOperation
  private let table: String
  private let read: [String]
  private let written: [String]
  private let condition: SQL?
  /// The columns that identify a row and determine the order of the conversion: the rowid or the
  /// primary key.
  private let key: [String]

  init(
    operation: SchemaOperation, table: SchemaObject, reading read: [String],
    writing written: [String],
    condition: SQL?, in db: Connection
  ) throws {
    (self.operation, self.table, self.condition) = (operation, table.name, condition)
    (self.read, self.written) = (read, written)
    let layout = try TableLayout(of: table.name, in: db)
    key = layout.rowID.map { [$0] } ?? layout.key
    guard !key.isEmpty else {
      throw operation.failure(
        "the rows have no usable key, because columns are named rowid, _rowid_ and oid",
        suggestion: "rename one of the columns rowid, _rowid_ and oid")
    }
    for name in read { _ = try operation.column(name, of: table, in: db) }
    for name in written {
      let column = try operation.column(name, of: table, in: db)
      guard !key.contains(where: { $0.folded == name.folded }), !column.isGenerated else {
        throw operation.failure(
          """
          the column \(quoted(name)) is \
          \(column.isGenerated ? "a generated column" : "part of the key of the table")
          """,
          suggestion: "compute the values of this column with rebuildTable(_:as:copying:)")
      }
    }
    guard !written.isEmpty else {
      throw operation.failure(
        "the argument \"writing\" names no column",
        suggestion: "name at least one column in the argument \"writing\"")
    }
  }

  func run(
    in db: Connection, _ progress: MigrationProgress?,
    _ convert: (borrowing Row) throws -> [(any SQLBindable)?]?
  ) throws -> Int {
    let end = try lastKey(in: db)
    let all = rows(after: nil, through: end)
    let total =
      progress == nil ? 0 : try db.fetchValue("SELECT count(*) FROM \(all)", as: Int.self)
    var (readCount, changedCount) = (0, 0)
    var last: [SQLValue]?
    while true {
      let slice = try next(rows(after: last, through: end), in: db, convert)
      let rows = slice.compactMap { key, values in values.map { $0 + key } }
      try operation.run(update, for: rows, in: db)
      changedCount += rows.count
      readCount += slice.count
      try progress?(readCount, of: total)
      guard slice.count == Self.slice, let reached = slice.last?.key else { return changedCount }
      last = reached
    }
  }

  private typealias Converted = (key: [SQLValue], values: [SQLValue]?)

  /// Returns the key of the last row of the table, or `nil` if the table is empty.
  ///
  /// The conversion reads this key before it starts, and ends at it. Without this bound, a trigger
  /// that inserts rows after the last row could prolong the conversion without end.
  private func lastKey(in db: Connection) throws -> [SQLValue]? {
    let order = key.map { "\(identifier: $0) DESC" as SQL }.joined(separator: ", ")
    return try db.fetchOne(
      "SELECT \(keyList) FROM main.\(identifier: table) ORDER BY \(order) LIMIT 1"
    ) { row in
      var last: [SQLValue] = []
      for index in self.key.indices { last.append(try row[index]) }
      return last
    }
  }

  private var keyList: SQL { key.map { "\(identifier: $0)" as SQL }.joined(separator: ", ") }

  private func next(
    _ rows: SQL, in db: Connection,
    _ convert: (borrowing Row) throws -> [(any SQLBindable)?]?
  ) throws -> [Converted] {
    let names = read.map { "\(identifier: $0)" as SQL }
    // The key columns get aliases that no column has, so that the
    // closure finds each column by its own name.
    let keys = key.enumerated().map { index, name in
      "\(identifier: name) AS \(identifier: "undercroft key \(index)")" as SQL
    }
    let sql: SQL = """
      SELECT \((names + keys).joined(separator: ", ")) FROM \(rows)
      ORDER BY \(keyList) LIMIT \(Self.slice)
      """
    var converted: [Converted] = []
    try db.forEach(sql) { row in
      let values = try convert(row)
      var key: [SQLValue] = []
      for index in self.key.indices { key.append(try row[read.count + index]) }
      converted.append((key, try values.map { try operation.values($0, for: written) }))
    }
    return converted
  }

  private func rows(after last: [SQLValue]?, through end: [SQLValue]?) -> SQL {
    var conditions: [SQL] = []
    if let condition { conditions.append("(\(condition))") }
    if let last { conditions.append("(\(keyList)) > (\(last))") }
    if let end { conditions.append("(\(keyList)) <= (\(end))") }
    let filter: SQL =
      conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    return "main.\(identifier: table)\(filter)"
  }

  private var update: SQL {
    let sets = written.map { "\(identifier: $0) = ?" as SQL }.joined(separator: ", ")
    let same = key.map { "\(identifier: $0) = ?" as SQL }.joined(separator: " AND ")
    return "UPDATE main.\(identifier: table) SET \(sets) WHERE \(same)"
  }
}
