import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

@Suite struct MigrationSliceTests {
  private struct Enough: Error {}

  /// A step that moves the blurbs into a separate table, ten books per slice.
  private static let steps = [
    MigrationStep("1", up: "CREATE TABLE book (id INTEGER PRIMARY KEY, blurb TEXT)"),
    MigrationStep("2", up: "ALTER TABLE book DROP COLUMN blurb").slices { db, done in
      var last: Int64 = 0
      if case .integer(let id)? = done { last = id }
      if done == nil {
        try db.execute(
          "CREATE TABLE blurb (book INTEGER PRIMARY KEY REFERENCES book (id), text TEXT)")
      }
      let books = try db.fetchAll(
        "SELECT id, blurb FROM book WHERE id > \(last) ORDER BY id LIMIT 10"
      ) { row in (try row[0] as Int64, try row[1] as String) }
      guard let end = books.last?.0 else { return .done }
      for (id, text) in books {
        try db.execute("INSERT INTO blurb VALUES (\(id), \(text.uppercased()))")
      }
      return .next(.integer(end), fraction: Double(end) / 100)
    },
  ]
  private static let migrator = Migrator(
    steps,
    schema: """
      CREATE TABLE book (id INTEGER PRIMARY KEY);
      CREATE TABLE blurb (book INTEGER PRIMARY KEY REFERENCES book (id), text TEXT);
      """)

  private func oldDatabase() throws -> Database {
    let database = try Database.inMemory()
    try Self.migrator.migrate(database, to: "1")
    try database.write { db in
      for id in 1...95 { try db.execute("INSERT INTO book VALUES (\(id), \("about \(id)"))") }
    }
    return database
  }

  @Test
  func `a migration step with slices runs all slices and reports progress after each slice`()
    throws
  {
    let database = try oldDatabase()
    let log = MigrationLog()
    var migrator = Self.migrator
    migrator.onEvent = { log.append($0) }

    try migrator.migrate(database)

    #expect(try database.fetchValue("SELECT count(*) FROM blurb", as: Int.self) == 95)
    #expect(
      try database.fetchValue("SELECT text FROM blurb WHERE book = 95", as: String.self)
        == "ABOUT 95")
    #expect(log.events.filter { $0.hasPrefix("progress") }.count == 11)
    #expect(log.events.contains("progress 0.5"))
    #expect(log.events.filter { $0.hasPrefix("will run") } == ["will run up from 1 to 2"])
    #expect(log.events.filter { $0.hasPrefix("did run") } == ["did run up from 1 to 2"])
  }

  @Test func `an interrupted migration step continues after its last committed slice`() throws {
    let database = try oldDatabase()
    var migrator = Self.migrator
    migrator.onEvent = { event in
      if case .progress(_, let fraction) = event, fraction == 0.5 { throw Enough() }
    }

    #expect(throws: Enough.self) { try migrator.migrate(database) }
    // The interrupted slice is rolled back. The earlier slices remain.
    #expect(try database.fetchValue("SELECT count(*) FROM blurb", as: Int.self) == 40)
    #expect(try Self.migrator.version(of: database) == "1")
    #expect(try Self.migrator.plan(for: database).isUnfinished)

    let log = MigrationLog()
    migrator.onEvent = { log.append($0) }
    try migrator.migrate(database)

    #expect(log.events.filter { $0.hasPrefix("progress") }.count == 7)
    #expect(try database.fetchValue("SELECT count(*) FROM blurb", as: Int.self) == 95)
    #expect(try Self.migrator.plan(for: database).isEmpty)
  }

  @Test func `a migrator without the interrupted step rejects the partly migrated file`() throws {
    let database = try oldDatabase()
    var migrator = Self.migrator
    migrator.onEvent = { event in
      if case .progress(_, let fraction) = event, fraction == 0.5 { throw Enough() }
    }
    #expect(throws: Enough.self) { try migrator.migrate(database) }

    let old = Migrator(
      [Self.steps[0]], schema: "CREATE TABLE book (id INTEGER PRIMARY KEY, blurb TEXT)")
    let error = #expect(throws: StorageError.self) { try old.migrate(database) }
    #expect(error?.code == .unknownVersion)
  }
}
