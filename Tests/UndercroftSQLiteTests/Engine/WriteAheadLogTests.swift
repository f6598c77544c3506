import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct WriteAheadLogTests {
  @Test
  func `writeAheadLog reports how many frames the log has and how many of them are checkpointed`()
    throws
  {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      let log = { try #require(try database.read { db in db.writeAheadLog() }) }

      try Library.fill(database)
      let written = try log()
      try database.checkpoint()
      let checkpointed = try log()
      try database.execute("INSERT INTO book(title) VALUES ('Emma')")
      let restarted = try log()

      #expect(written.frameCount > 0 && written.checkpointedCount == 0 && !written.isCheckpointed)
      #expect(checkpointed.frameCount == written.frameCount && checkpointed.isCheckpointed)
      #expect(restarted.frameCount < checkpointed.frameCount && !restarted.isCheckpointed)
    }
  }

  @Test
  func `reading the write-ahead log of a database without a log returns nil and creates no files`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try OtherProgram(url).run("CREATE TABLE book(title)")

      let database = try Database(at: url, DatabaseOptions(isReadOnly: true))
      let log = try database.read { db in db.writeAheadLog() }

      #expect(log == nil)
      #expect(try Library.names(in: directory) == ["library.sqlite"])
      let inMemory = try Database.inMemory().read { db in db.writeAheadLog() }
      #expect(inMemory == nil)
    }
  }

  @Test(arguments: [
    (SQLiteVersion(3, 40, 1), false), (SQLiteVersion(3, 44, 5), false),
    (SQLiteVersion(3, 44, 6), true), (SQLiteVersion(3, 45, 3), false),
    (SQLiteVersion(3, 50, 6), false), (SQLiteVersion(3, 50, 7), true),
    (SQLiteVersion(3, 51, 2), false), (SQLiteVersion(3, 51, 3), true),
    (SQLiteVersion(3, 52, 0), true), (SQLiteVersion(4, 0, 0), true),
  ])
  func `allowsCheckpoint is false only if all frames are copied and SQLite has the WAL-reset bug`(
    library: SQLiteVersion, isSafe: Bool
  ) {
    #expect(library.resetsLogSafely == isSafe)
    let checkpointed = WriteAheadLog(frameCount: 1_200, checkpointedCount: 1_200)
    let growing = WriteAheadLog(frameCount: 1_200, checkpointedCount: 1_100)
    let restarted = WriteAheadLog(frameCount: 12, checkpointedCount: 0)
    #expect(checkpointed.allowsCheckpoint(by: library) == isSafe)
    #expect(growing.allowsCheckpoint(by: library))
    #expect(restarted.allowsCheckpoint(by: library))
  }
}
