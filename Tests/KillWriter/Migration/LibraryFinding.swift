import Foundation
import Synchronization
import UndercroftMigration
import UndercroftSQLite

/// The kinds of errors that a kill must not cause.
enum Trouble: String, CaseIterable {
  /// The file does not open, or is damaged.
  case unopenable
  /// The file has no consistent version: the history, the schema and the data disagree.
  case half
  /// Rows differ from the rows of the original file.
  case lost
  /// The next process that opened the file did not end with the expected result.
  case unfinished
  /// There is an unexpected file beside the database.
  case leftOver = "left over"
  /// The snapshot or the preserved copy differs from the old file, or is missing.
  case spoilt
}

/// The result of checking a database that is opened without a migrator.
struct LibraryFinding {
  private(set) var version = ""
  /// Whether a migration has begun and not ended.
  private(set) var isUnfinished = false
  /// Whether the database is the empty database that the fallback `recreate` creates.
  private(set) var isFresh = false
  /// Whether rows may have been added to the table of readers, so that this table is not compared.
  private let hasNewReaders: Bool
  private(set) var troubles: [(Trouble, String)] = []

  /// Opens a database, and checks its schema, its migration history and its rows.
  init(
    of file: URL, holding content: LibraryContent, isReadOnly: Bool = false,
    hasNewReaders: Bool = false
  ) {
    self.hasNewReaders = hasNewReaders
    do {
      let database = try Database(at: file, .init(isReadOnly: isReadOnly))
      try look(at: database, content)
      try database.close()
    } catch {
      troubles.append((.unopenable, "\(error)"))
    }
  }

  private mutating func look(at database: Database, _ content: LibraryContent) throws {
    let damage = try database.integrityCheck()
    if let first = damage.first { return troubles.append((.unopenable, first)) }
    let dangling = try database.foreignKeyCheck().count
    if dangling > 0 {
      troubles.append((.half, "the number of rows that violate a foreign key is \(dangling)"))
    }
    let entries = try database.fetchAll(
      "SELECT version, origin FROM undercroft_migration ORDER BY position"
    ) { row in (version: try row[0] as String, origin: try row[1] as String) }
    guard let last = entries.last?.version,
      entries.map(\.version) == LibrarySteps.versions.filter({ $0 <= last })
    else {
      return troubles.append((.half, "the history has the versions \(entries.map(\.version))"))
    }
    version = last
    isFresh = version == LibrarySteps.newest && entries.allSatisfy { $0.origin == "created" }
    let run = try database.read { db in
      try db.fetchOne("SELECT sliced_version, cursor FROM undercroft_migration_run") { row in
        (sliced: try row[0] as String?, cursor: try row[1] as Int64?)
      }
    }
    isUnfinished = run != nil
    if (version == "6" || version == "1" && run?.sliced == nil) == isUnfinished {
      let count = isUnfinished ? "an" : "no"
      troubles.append((.half, "the history has \(count) unfinished migration at \(version)"))
    }
    let expected = try Self.schema(of: version, isSliced: run?.sliced != nil)
    let difference = try database.read { db in try DatabaseSchema(of: db) }
      .difference(from: expected)
    guard difference.isEmpty else {
      return troubles.append((.half, "the schema is not that of \(version): \(difference)"))
    }
    try lookAtRows(of: database, content)
    if let cursor = run?.cursor, version == "4" { try lookAtSlices(of: database, to: cursor) }
  }

  private mutating func lookAtRows(of database: Database, _ content: LibraryContent) throws {
    let lines = try database.fetchAll("SELECT line FROM journal ORDER BY id") { row in
      try row[0] as String
    }
    let slices = lines.filter { $0.contains("after") }
    let steps = lines.filter { !$0.contains("after") }
    let expected = isFresh ? [] : LibrarySteps.versions.filter { $0 > "1" && $0 <= version }
    if steps != expected || Set(slices).count != slices.count {
      troubles.append((.half, "at \(version) the steps that ran are \(lines)"))
    }
    if isFresh {
      let count = try database.fetchValue("SELECT count(*) FROM book", as: Int.self)
      if count != 0 { troubles.append((.half, "a recreated file contains \(count) books")) }
      return
    }
    let found = try database.read { db in try LibraryContent(of: db, at: version) }
    if found != content, !(hasNewReaders && found.isSame(but: "readers", as: content)) {
      troubles.append((.lost, "\(found) at \(version) instead of \(content)"))
    }
    guard version >= "2" else { return }
    let wrong = try database.fetchValue(
      "SELECT count(*) FROM book WHERE isbn IS NOT printf('978-%09d', id)", as: Int.self)
    if wrong > 0 { troubles.append((.half, "\(wrong) books have no number at \(version)")) }
  }

  private mutating func lookAtSlices(of database: Database, to cursor: Int64) throws {
    let wrong = try database.fetchValue(
      """
      SELECT count(*) FROM book LEFT JOIN blurb ON book.id = blurb.book
      WHERE CASE WHEN id <= \(cursor) THEN text IS NOT blurb ELSE text IS NOT NULL END
      """, as: Int.self)
    if wrong > 0 { troubles.append((.half, "the slices have not moved \(wrong) texts correctly")) }
  }

  /// A cache of the schemas by version and by whether the slices to the next version have begun.
  private static let schemas = Mutex<[String: DatabaseSchema]>([:])

  private static func schema(of version: String, isSliced: Bool) throws -> DatabaseSchema {
    let name = isSliced ? version + " sliced" : version
    if let known = schemas.withLock({ $0[name] }) { return known }
    let memory = try Database.inMemory()
    let schema = try memory.write { db in
      try LibrarySteps().migrator.build(version, in: db)
      if isSliced { try db.executeScript(LibrarySteps.blurbTable) }
      return try DatabaseSchema(of: db)
    }
    schemas.withLock { $0[name] = schema }
    return schema
  }
}
