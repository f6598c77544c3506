import BehaviourTrait
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct CheckpointerTests {
  private func size(_ url: URL) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path())
    return attributes?[.size] as? Int ?? 0
  }

  /// The number of bytes in the log from which a checkpoint begins: 1,000 pages.
  private static let threshold = 1_000 * 4_096

  /// Fills at least one page of the log.
  private static let page = Data(repeating: 7, count: 4_000)

  @Test(.behaviour("A-WC-21"))
  func `the background checkpointer moves committed pages into the database file`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try database.write { db in try db.execute("CREATE TABLE page(bytes BLOB)") }
      for _ in 0..<30 {
        try database.write { db in
          for _ in 0..<100 { try db.execute("INSERT INTO page VALUES (\(Self.page))") }
        }
      }
      let deadline = ContinuousClock.now + .hangLimit
      while size(url) < 4_000_000, ContinuousClock.now < deadline { usleep(1_000) }

      #expect(size(url) >= 4_000_000)
    }
  }

  @Test(.behaviour("A-WC-21"))
  func `the write-ahead log stays bounded although at least one reader is always active`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let log = directory.appending(path: "library.sqlite-wal")
      let database = try Database(at: url)
      try database.write { db in
        try db.execute("CREATE TABLE page(id INTEGER PRIMARY KEY, bytes BLOB)")
        for id in 0..<100 { try db.execute("INSERT INTO page VALUES (\(id), \(Self.page))") }
      }
      let isOver = Atomic<Bool>(false)
      let readers = (0..<3).map { _ in
        let done = Promise<Bool>()
        Thread {
          while !isOver.load(ordering: .relaxed) {
            _ = try? database.read { db in
              _ = try db.fetchAll("SELECT id FROM page") { row in try row[0] as Int }
              usleep(3_000)
            }
          }
          done.fulfill(true)
        }.start()
        return done
      }
      var largest = 0
      var written = 0
      var round = 0
      // At least 120 MB of pages, and on a slow machine more until the log has restarted. A log
      // that grows without bound never restarts.
      while round < 300 || (written < 2 * largest && round < 3_000) {
        try database.write { db in
          for id in 0..<100 {
            try db.execute(
              "UPDATE page SET bytes = \(Self.page + [UInt8(round % 256)]) WHERE id = \(id)")
          }
        }
        written += 100 * Self.page.count
        largest = max(largest, size(log))
        round += 1
      }
      isOver.store(true, ordering: .relaxed)
      for reader in readers { #expect(reader.wait() == true) }

      #expect(written >= 2 * largest)
    }
  }

  @Test(.heavy, .behaviour("A-WC-21"))
  func `the write-ahead log stays bounded although slow writers follow each other without pause`()
    throws
  {
    try withTemporaryDirectory { directory in
      let log = directory.appending(path: "library.sqlite-wal")
      let database = try Database(
        at: directory.appending(path: "library.sqlite"),
        DatabaseOptions(lockTimeout: .hangLimit))
      try database.write { db in
        try db.execute("CREATE TABLE page(id INTEGER PRIMARY KEY, bytes BLOB)")
      }
      let isOver = Atomic<Bool>(false)
      let rounds = Atomic<Int>(0)
      let writers = (0..<4).map { _ in
        inBackground {
          // A writer that fails ends the test, too.
          defer { isOver.store(true, ordering: .relaxed) }
          while !isOver.load(ordering: .relaxed) {
            try database.write { db in
              for id in 0..<100 {
                try db.execute("INSERT OR REPLACE INTO page VALUES (\(id), \(Self.page))")
              }
              usleep(25_000)
            }
            rounds.add(1, ordering: .relaxed)
          }
        }
      }
      var largest = 0
      var round = 0
      var written: Int { round * 100 * Self.page.count }
      // At least 40 MB of pages, and more until the log has restarted. A log that grows without
      // bound never restarts.
      while !isOver.load(ordering: .relaxed),
        round < 100 || (written < 2 * largest && round < 1_500)
      {
        usleep(5_000)
        round = rounds.load(ordering: .relaxed)
        largest = max(largest, size(log))
      }
      isOver.store(true, ordering: .relaxed)
      for writer in writers { try writer.wait()?.get() }

      #expect(written >= 2 * largest)
    }
  }

  @Test(.behaviour("A-WC-21"))
  func `a write larger than the checkpoint threshold is copied completely into the database file`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      do {
        let database = try Database(at: url)
        try database.write { db in try db.execute("CREATE TABLE page(bytes BLOB)") }
        try database.write { db in
          for _ in 0..<5_000 { try db.execute("INSERT INTO page VALUES (\(Self.page))") }
        }
        // A checkpoint leaves the length of the log as it is. Only a later write can shorten it.
        let log = directory.appending(path: "library.sqlite-wal")
        #expect(size(log) > 4 * Self.threshold)
        try database.write { db in try db.execute("INSERT INTO page VALUES (x'00')") }
      }
      // Closing the last connection removed the log, so everything is in the file.
      #expect(!FileManager.default.fileExists(atPath: url.path() + "-wal"))

      let count = try Database(at: url).read { db in
        try db.fetchOne("SELECT count(*) FROM page") { row in try row[0] as Int }
      }
      #expect(count == 5_001)
    }
  }

  @Test func `a long read does not make every write wait for the checkpointer`() throws {
    try withTemporaryDirectory { directory in
      let database = try Database(
        at: directory.appending(path: "library.sqlite"),
        DatabaseOptions(lockTimeout: .hangLimit))
      try database.write { db in
        try db.execute("CREATE TABLE page(id INTEGER PRIMARY KEY, bytes BLOB)")
      }
      let (inside, bell) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let reader = inBackground {
        try database.read { db in
          _ = try db.fetchAll("SELECT id FROM page") { row in try row[0] as Int }
          inside.signal()
          bell.wait()
        }
      }
      inside.wait()
      // A log of 80 MB, at which the checkpointer waits up to 200 milliseconds for readers.
      try database.write { db in
        for _ in 0..<20_000 { try db.execute("INSERT INTO page(bytes) VALUES (\(Self.page))") }
      }
      // A database without a reader, as the measure of how slow the machine is at the moment.
      let other = try Database(at: directory.appending(path: "other.sqlite"))
      try other.write { db in
        try db.execute("CREATE TABLE page(id INTEGER PRIMARY KEY, bytes BLOB)")
        for _ in 0..<40 { try db.execute("INSERT INTO page(bytes) VALUES (\(Self.page))") }
      }
      let time = { (database: Database, id: Int) in
        try ContinuousClock().measure {
          try database.write { db in
            _ = try db.execute("UPDATE page SET bytes = x'00' WHERE id = \(id)")
          }
        }
      }
      var slow = 0
      for id in 0..<40 {
        let difference = try time(database, id) - time(other, id)
        if difference > .milliseconds(150) { slow += 1 }
        if difference < .milliseconds(-150) { slow -= 1 }
        // Gives a checkpoint time to begin between two writes.
        Thread.sleep(forTimeInterval: 0.01)
      }
      bell.signal()
      _ = try reader.wait()?.get()

      // The first write is slow, and one more every two seconds. All are slow if the checkpointer
      // retries after each commit.
      #expect(slow < 20)
    }
  }

  private struct Refusal: Error {}

  @Test func `the background checkpointer does not run the caller's set-up closure`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let count = Mutex(0)
      var options = DatabaseOptions()
      options.setUp = { _ in
        let number = count.withLock { count in
          count += 1
          return count
        }
        if number > 1 { throw Refusal() }
      }
      let database = try Database(at: url, options)
      try database.write { db in try db.execute("CREATE TABLE page(bytes BLOB)") }
      for _ in 0..<15 {
        try database.write { db in
          for _ in 0..<100 { try db.execute("INSERT INTO page VALUES (\(Self.page))") }
        }
      }
      let deadline = ContinuousClock.now + .hangLimit
      while size(url) < 3_000_000, ContinuousClock.now < deadline { usleep(1_000) }

      #expect(size(url) >= 3_000_000)
      #expect(count.withLock { $0 } == 1)
    }
  }
}
