import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests that measure how much longer statements take while changes are captured.
///
/// They print the ratio, and verify the captured changes.
@Suite(.heavy, .serialized) struct CaptureCostTests {
  private static let rowCount = 20_000

  private static func database(in folder: URL, _ name: String, isCapturing: Bool) throws -> Database
  {
    let database = try Database(at: folder.appending(path: name))
    try database.execute(
      "CREATE TABLE book(id TEXT PRIMARY KEY, title TEXT, author TEXT, n INTEGER)")
    if isCapturing {
      try SyncSchema.add([SyncedTable("book")], toScope: "shelf", account: "ada", in: database)
    }
    return database
  }

  /// Runs `body` three times, and returns the shortest duration in seconds.
  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<3 {
      let start = ContinuousClock.now
      try body()
      let duration = (ContinuousClock.now - start).components
      best = min(best, Double(duration.seconds) + Double(duration.attoseconds) / 1e18)
    }
    return best
  }

  @Test
  func `single inserts, a bulk insert, a bulk update and repeated updates of one row are captured`()
    throws
  {
    try withTemporaryDirectory { folder in
      let plain = try Self.database(in: folder, "plain.sqlite", isCapturing: false)
      let capturing = try Self.database(in: folder, "capturing.sqlite", isCapturing: true)
      let works: [(name: String, run: (Database) throws -> Void)] = [
        ("single commits", Self.insertSingly), ("bulk insert", Self.insertMany),
        ("bulk update", Self.updateMany), ("hot row", Self.updateOne),
      ]
      for work in works {
        let before = try Self.seconds { try work.run(plain) }
        let after = try Self.seconds { try work.run(capturing) }
        print("capture, \(work.name): \(after / before) times as long, \(after) s")
        if work.name == "bulk insert" { try CapturingLibrary(opening: capturing).settle() }
      }

      let library = CapturingLibrary(opening: capturing)
      #expect(
        try library.integer("SELECT count(*) FROM sync_to_sync") == 3 * Int64(Self.rowCount) + 3_000
      )
      #expect(
        try library.integer("SELECT count(*) FROM book b JOIN sync_record ON primary_key = b.id")
          == library.integer("SELECT count(*) FROM book"))
    }
  }

  private static func insertSingly(_ database: Database) throws {
    for _ in 0..<1_000 {
      try database.execute("INSERT INTO book VALUES (hex(randomblob(16)), 'title', 'Ada', 1)")
    }
  }

  private static func insertMany(_ database: Database) throws {
    try database.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rowCount))
      INSERT INTO book SELECT hex(randomblob(16)), 'title ' || i, 'Ada', i FROM n
      """)
  }

  private static func updateMany(_ database: Database) throws {
    try database.execute("UPDATE book SET title = title || '.'")
  }

  private static func updateOne(_ database: Database) throws {
    try database.write { db in
      for number in 0..<5_000 {
        try db.execute("UPDATE book SET n = \(number) WHERE rowid = 7")
      }
    }
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["UNDERCROFT_MILLION_ROWS"] != nil))
  func `adding a table to a scope enqueues its million rows while another thread reads the table`()
    throws
  {
    try withTemporaryDirectory { folder in
      let database = try Self.database(in: folder, "many.sqlite", isCapturing: false)
      try database.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
        INSERT INTO book SELECT hex(randomblob(16)), 'title ' || i, 'Ada', i FROM n
        """)
      let reader = Thread {
        while (try? database.fetchValue("SELECT count(*) FROM book", as: Int.self)) != nil {}
      }
      reader.start()
      let start = ContinuousClock.now
      try SyncSchema.add([SyncedTable("book")], toScope: "shelf", account: "ada", in: database)
      print("capture, a million rows: \(ContinuousClock.now - start)")
      #expect(try database.fetchValue("SELECT count(*) FROM sync_to_sync") == 1_000_000)
      try database.close()
    }
  }
}
