import UndercroftCore
import UndercroftFoundation
import UndercroftInspection

/// A namespace for reading the `InspectionReport` and the `InspectionEntry` values of a database,
/// through any connection.
///
/// For a key-value store there is one entry for each key. For any other database there is one entry
/// for each table. The bytes of such an entry are the SQL definition of the table.
enum Inspection {
  /// The frameworks that create databases, and a table that each of them always creates.
  private static let makers: [(table: String, name: String)] = [
    ("Z_METADATA", "Core Data"), ("grdb_migrations", "GRDB"),
    ("room_master_table", "Room, on Android"),
  ]

  static func report(
    of connection: Connection, byteCount: Int, usesLog: Bool, countingRows: Bool = true
  ) throws(StorageError) -> InspectionReport {
    let isKeyed = try EntryTable.isPresent(in: connection)
    let tables = try tables(in: connection)
    let count =
      isKeyed ? (countingRows ? try EntryTable.count(in: connection) : nil) : tables.count
    let pages = InspectedPages(
      size: Int(clamping: try connection.integer("PRAGMA page_size") ?? 0),
      count: Int(clamping: try connection.integer("PRAGMA page_count") ?? 0),
      freeCount: Int(clamping: try connection.integer("PRAGMA freelist_count") ?? 0))
    var facts = [InspectionReport.Fact("journal mode", usesLog ? "write-ahead log" : "rollback")]
    facts += pages.facts
    facts += [
      .init("user version", "\(try connection.integer("PRAGMA user_version") ?? 0)"),
      .init("application id", "\(try connection.integer("PRAGMA application_id") ?? 0)"),
    ]
    if let maker = makers.first(where: { tables.contains($0.table) })?.name {
      facts.append(.init("made by", maker))
    }
    var damagedTables: [String] = []
    for table in tables where countingRows && table != "undercroft_entry" {
      let count = rowCount(of: table, in: connection)
      facts.append(.init("table \(table)", count.text))
      if count.isDamaged { damagedTables.append(table) }
    }
    var report = InspectionReport(
      format: isKeyed ? "sqlite keyed store 1" : "sqlite database 3", entryCount: count,
      byteCount: byteCount, isConfidential: false, facts: facts)
    report.isTabular = !isKeyed
    report.pages = pages
    report.damagedTables = damagedTables
    return report
  }

  static func entries(
    _ prefix: String, in connection: Connection
  ) throws(StorageError) -> [InspectionEntry] {
    if try EntryTable.isPresent(in: connection) {
      return try EntryTable.entries(prefix, in: connection)
    }
    return try tables(in: connection).filter { $0.utf8.starts(with: prefix.utf8) }
      .map { InspectionEntry(name: $0, byteCount: nil) }
  }

  static func bytes(
    of entry: String, in connection: Connection
  ) throws(StorageError) -> Data? {
    if try EntryTable.isPresent(in: connection) {
      return try EntryTable.value(of: entry, in: connection)
    }
    return try connection.withStatement(
      "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?"
    ) { (statement) throws(StorageError) in
      try statement.bind(entry, at: 1)
      guard try statement.step() else { return nil }
      let definition: String? = try Row(statement: statement.raw)[0]
      return definition.map { Data($0.utf8) }
    }
  }

  private static func tables(in connection: Connection) throws(StorageError) -> [String] {
    try connection.withStatement(
      """
      SELECT name FROM sqlite_schema
      WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
      """
    ) { (statement) throws(StorageError) in
      var tables: [String] = []
      while try statement.step() { tables.append(try Row(statement: statement.raw)[0]) }
      return tables
    }
  }

  /// Returns the number of rows of a table as text, such as "2 rows", and whether the table is
  /// damaged.
  ///
  /// For a damaged table, the text is "damaged". If the rows cannot be counted for another reason,
  /// such as a missing module, the text is "cannot be counted". The other tables are still listed.
  private static func rowCount(
    of table: String, in connection: Connection
  ) -> (text: String, isDamaged: Bool) {
    do {
      let sql: SQL = "SELECT count(*) FROM \(identifier: table)"
      let count = try connection.fetchOne(sql) { row in try row[0] as Int64 } ?? 0
      return (count == 1 ? "1 row" : "\(count) rows", false)
    } catch {
      let isDamaged = (error as? StorageError)?.code == .corrupted
      return (isDamaged ? "damaged" : "cannot be counted", isDamaged)
    }
  }
}
