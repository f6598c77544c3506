import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct AttachmentTests {
  private func withTwo(_ body: (Database, URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      try Library.fill(database)
      let archive = directory.appending(path: "archive.sqlite")
      do {
        let other = try Database(at: archive)
        try other.write { db in
          try db.executeScript(
            "CREATE TABLE old(id INTEGER, title TEXT); INSERT INTO old VALUES (1, 'Emma')")
        }
      }
      try body(database, archive)
    }
  }

  private static let join: SQL =
    "SELECT old.title FROM book JOIN archive.old ON old.id = book.id"

  private func titles(_ database: Database) throws -> [String] {
    try database.read { db in try db.fetchAll(Self.join) { row in try row[0] as String } }
  }

  @Test(.behaviour("A-FM-47"))
  func `the writer and the readers can query an attached database together with the main database`()
    throws
  {
    try withTwo { database, archive in
      #expect(throws: StorageError.self) { try titles(database) }
      try database.attach(archive, as: "archive")
      #expect(try titles(database) == ["Emma"])
      try database.write { db in
        try db.execute("INSERT INTO archive.old VALUES (2, 'Dune')")
        let both = try db.fetchAll(Self.join) { row in try row[0] as String }
        #expect(both == ["Emma", "Dune"])
      }
      // Several concurrent readers, each on its own connection.
      try database.read { (_) throws in
        let other = inBackground { try titles(database) }
        #expect(try other.wait()?.get() == ["Emma", "Dune"])
      }
      try database.read { db in
        try #expect(db.databases().map(\.name) == ["main", "archive"])
        try #expect(
          db.databases().map(\.location?.lastPathComponent) == [
            "library.sqlite", "archive.sqlite",
          ])
        try #expect(db.tableExists("old", in: "archive"))
        try #expect(db.columns(of: "old", in: "archive").count == 2)
        try #expect(db.schema(of: "archive").map(\.name) == ["old"])
      }
      #expect(try database.checkpoint(.truncate, of: "archive").isComplete)
      try database.vacuum("archive")
    }
  }

  @Test(.behaviour("A-FM-47"))
  func `a detached database can no longer be queried`() throws {
    try withTwo { database, archive in
      try database.attach(archive, as: "archive")
      try database.detach("Archive")

      #expect(throws: StorageError.self) { try titles(database) }
      #expect(try database.read { db in try db.databases().map(\.name) } == ["main"])
      let error = #expect(throws: StorageError.self) { try database.detach("archive") }
      #expect(error?.code == .misuse)
      #expect(throws: StorageError.self) { try database.detach("main") }
    }
  }

  @Test(.behaviour("A-FM-47"))
  func `opening a database attaches its declared attachments and creates missing files`() throws {
    try withTemporaryDirectory { directory in
      let shelf = directory.appending(path: "deep/shelf.sqlite")
      let odd = #"my "odd" name"#
      let options = DatabaseOptions(
        durability: .powerLoss, attachments: [Database.Attachment(shelf, as: odd)])
      let database = try Database(at: directory.appending(path: "library.sqlite"), options)
      try database.write { db in
        try db.execute("CREATE TABLE \(identifier: odd).place(number INTEGER)")
      }
      #expect(try database.read { db in try db.tableExists("place", in: odd) })
      #expect(try Library.mode(of: shelf) == 0o600)

      let modes = try database.write { db in
        try db.fetchAll("PRAGMA \(identifier: odd).journal_mode") { row in try row[0] as String }
      }
      #expect(modes == ["wal"])
    }
  }

  @Test(.behaviour("A-FM-47"))
  func `an in-memory database can attach a file`() throws {
    try withTwo { _, archive in
      let memory = try Database.inMemory()
      try Library.fill(memory)
      try memory.attach(archive, as: "archive")
      #expect(try titles(memory) == ["Emma"])
      try memory.detach("archive")
      #expect(throws: StorageError.self) { try titles(memory) }
      #expect(try Library.count(memory) == 3)
    }
  }

  @Test func `attaching an invalid file or name throws and changes nothing`() throws {
    try withTwo { database, archive in
      try database.attach(archive, as: "archive")
      let folder = archive.deletingLastPathComponent()
      let list = folder.appending(path: "list.txt")
      try Data("a shopping list, and no database at all".utf8).write(to: list)
      let new = folder.appending(path: "new.sqlite")
      let tries: [(URL, String, StorageError.Code)] = [
        (new, "archive", .misuse), (new, "MAIN", .misuse), (new, "temp", .misuse),
        (new, "", .misuse),
        (new, "a\0b", .misuse), (archive, "again", .misuse), (folder, "folder", .unavailable),
        (folder.appending(path: "../\(folder.lastPathComponent)/library.sqlite"), "x", .misuse),
        (list, "list", .corrupted), (URL(filePath: "a\0b"), "nul", .misuse),
      ]
      let memory = try Database.inMemory()
      try memory.attach(archive, as: "archive")
      for target in [database, memory] {
        for (url, name, code) in tries where target === database || name != "x" {
          let error = #expect(throws: StorageError.self) { try target.attach(url, as: name) }
          #expect(error?.code == code, "\(name): \(error as Any)")
          let names = try target.read { db in try db.databases().map(\.name) }
          #expect(names == ["main", "archive"], "\(name)")
        }
        for isWrite in [true, false] {
          let error = #expect(throws: StorageError.self) {
            let inner = { try target.attach(new, as: "inner") }
            if isWrite {
              try target.write { _ in try inner() }
            } else {
              try target.read { _ in try inner() }
            }
          }
          #expect(error?.code == .misuse)
        }
      }
      #expect(!FileManager.default.fileExists(atPath: new.path))
      #expect(try titles(database) == ["Emma"])

      try database.close()
      let error = #expect(throws: StorageError.self) { try database.attach(new, as: "late") }
      #expect(error?.code == .misuse)
    }
  }

  @Test(.timeLimit(.hangLimit))
  func `the write-ahead log of an attached database stays bounded`() throws {
    try withTwo { database, archive in
      try database.attach(archive, as: "archive")
      let log = archive.path + "-wal"
      var (largest, written) = (0, 0)
      // 60 MB, and on a slow machine more until the log has restarted. A log that grows without
      // bound never restarts.
      while written < 60 || (2 * written < 3 * largest && written < 600) {
        try database.write { db in
          try db.execute("INSERT INTO archive.old(title) VALUES (\(Data(count: 1_000_000)))")
          try db.execute("DELETE FROM archive.old WHERE id IS NULL")
        }
        let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
        largest = max(largest, (size ?? 0) / 1_000_000)
        written += 1
      }

      #expect(3 * largest <= 2 * written)
    }
  }

  @Test func `opening a read-only database with a missing attachment throws and creates no file`()
    throws
  {
    try withTwo { database, archive in
      let absent = archive.deletingLastPathComponent().appending(path: "absent.sqlite")
      for (file, isThere) in [(archive, true), (absent, false)] {
        let options = DatabaseOptions(
          isReadOnly: true, attachments: [Database.Attachment(file, as: "archive")])
        let url = try #require(database.location)
        if isThere {
          let reading = try Database(at: url, options)
          #expect(try titles(reading) == ["Emma"])
        } else {
          let error = #expect(throws: StorageError.self) { try Database(at: url, options) }
          #expect(error?.code == .unavailable)
        }
      }

      #expect(!FileManager.default.fileExists(atPath: absent.path))
    }
  }

  @Test(arguments: ["ATTACH ':memory:' AS archive", "DETACH DATABASE archive"] as [SQL])
  func `executing an ATTACH or DETACH statement throws a misuse error`(sql: SQL) throws {
    let database = try Database.inMemory()
    let error = #expect(throws: StorageError.self) {
      try database.writeWithoutTransaction { db in try db.execute(sql) }
    }
    #expect(error?.code == .misuse)
    #expect(error?.message.contains("DatabaseOptions.attachments") == true)
  }

  @Test func `attaching more databases than SQLite supports throws and creates no file`() throws {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      for number in 1...10 {
        try database.attach(directory.appending(path: "branch \(number)"), as: "b\(number)")
      }
      let surplus = directory.appending(path: "surplus")

      let error = #expect(throws: StorageError.self) { try database.attach(surplus, as: "surplus") }
      #expect(error?.code == .misuse)
      #expect(error?.message.contains("the maximum number of attached databases (10)") == true)
      #expect(!FileManager.default.fileExists(atPath: surplus.path))
      #expect(try database.read { db in try db.databases().count } == 11)
    }
  }

  @Test func `writers of two databases that attach each other do not deadlock`() throws {
    try withTemporaryDirectory { directory in
      let urls = ["library", "branch"].map { directory.appending(path: $0) }
      let databases = try urls.map { try Database(at: $0) }
      for (index, database) in databases.enumerated() {
        try database.execute("CREATE TABLE book(title TEXT)")
        try database.attach(urls[1 - index], as: "other")
      }
      let writers = databases.map { database in
        inBackground {
          for number in 1...150 {
            try database.write { db in
              try db.execute("INSERT INTO main.book VALUES (\(number))")
              try db.execute("INSERT INTO other.book VALUES (\(number))")
            }
          }
        }
      }
      for writer in writers { try writer.wait()?.get() }
      for database in databases {
        let count = try database.read { db in
          try db.fetchValue("SELECT count(*) FROM book", as: Int.self)
        }
        #expect(count == 300)
      }
    }
  }

  @Test
  func `vacuum throws and checkpoint succeeds if an attached database's name has an apostrophe`()
    throws
  {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      try database.attach(directory.appending(path: "branch"), as: "reader's")
      let error = #expect(throws: StorageError.self) { try database.vacuum("reader's") }
      #expect(error?.code == .misuse)
      #expect(error?.message.contains("apostrophe") == true)
      try database.checkpoint(of: "reader's")
      try database.detach("reader's")
    }
  }

  @Test
  func `attaching a database throws inside whileClosed and waits for whileClosed on other threads`()
    throws
  {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      let archive = directory.appending(path: "archive")
      let onAnotherThread = try database.whileClosed { _ in
        let error = #expect(throws: StorageError.self) {
          try database.attach(archive, as: "inside")
        }
        #expect(error?.message.contains("is inside whileClosed") == true)
        return inBackground { try database.attach(archive, as: "archive") }
      }
      try onAnotherThread.wait()?.get()

      #expect(try database.read { db in try db.databases().map(\.name) } == ["main", "archive"])
    }
  }

  @Test
  func `an in-memory database's lock timeout limits its wait for the lock of an attached file`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try Library.fill(database)
      let memory = try Database.inMemory(.init(lockTimeout: .milliseconds(50)))
      try memory.attach(url, as: "library")
      try database.write { _ in
        // Well below the default of five seconds. No attempt would be faster than that default,
        // however busy the machine is.
        let isSoon = (0..<20).contains { _ in
          let begin = ContinuousClock.now
          let error = #expect(throws: StorageError.self) {
            try memory.write { db in try db.execute("DELETE FROM library.book") }
          }
          #expect(error?.code == .locked)
          return ContinuousClock.now - begin < .seconds(4)
        }
        #expect(isSoon)
      }
    }
  }
}
