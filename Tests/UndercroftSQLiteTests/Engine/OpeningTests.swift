import BehaviourTrait
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

/// Tests of opening databases under various conditions, and of calls of closed databases.
@Suite struct OpeningTests {
  private func expect(_ code: StorageError.Code, _ body: () throws -> Void) {
    let error = #expect(throws: StorageError.self) { try body() }
    #expect(error?.code == code, "\(error as Any)")
  }

  @Test(.behaviour("A-FM-01"), .behaviour("A-FM-09"), .behaviour("A-WC-03"))
  func `every call on a closed database throws a misuse error`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let copy = directory.appending(path: "copy.sqlite")
      for database in [try Database(at: url), try Database.inMemory()] {
        try Library.fill(database)
        #expect(database.isOpen)
        try database.close()
        #expect(!database.isOpen)
        let calls: [() throws -> Void] = [
          { try database.read { _ in _ = Issue.record("read") } },
          { try database.write { _ in _ = Issue.record("written") } },
          { try database.writeWithoutTransaction { _ in _ = Issue.record("written") } },
          { try database.backUp(to: copy) }, { try database.vacuum() },
          { try database.vacuum(into: copy) }, { try database.checkpoint() },
          { try database.attach(copy, as: "copy") }, { _ = try database.integrityCheck() },
          { _ = try database.quickCheck() }, { _ = try database.foreignKeyCheck() },
        ]
        for call in calls { expect(.misuse, call) }
        database.closeIdleReaders()
        try database.close()
      }

      #expect(try Library.names(in: directory) == ["library.sqlite"])
    }
  }

  @Test(.behaviour("A-FM-03"), .behaviour("A-WC-02"))
  func `the error for an invalid database location contains the path`() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "list.txt")
      try Data("a shopping list".utf8).write(to: file)
      let web = try #require(URL(string: "https://library.example/books"))

      let cases: [(URL, StorageError.Code, String)] = [
        (directory, .unavailable, directory.lastPathComponent),
        (file.appending(path: "library.sqlite"), .io, file.path),
        (URL(filePath: "/dev/null/library.sqlite"), .io, "/dev/null"),
        (URL(filePath: "/dev/null"), .unavailable, "/dev/null"),
        (URL(filePath: "/proc/library/x.sqlite"), .unavailable, "/proc/library"),
        (file, .corrupted, file.path), (web, .misuse, "library.example"),
        (URL(filePath: "a\0b"), .misuse, "a%00b"),
      ]
      for (url, code, path) in cases {
        let error = #expect(throws: StorageError.self) { try Database(at: url) }
        #expect(error?.code == code, "\(url): \(error as Any)")
        #expect(error?.backend == "sqlite")
        #expect(error?.message.contains(path) == true, "\(error as Any)")
      }
      #expect(try Data(contentsOf: file).count == 15)
    }
  }

  @Test(.behaviour("A-FM-04"), .behaviour("A-WC-01"))
  func `databases opened on one file through different paths read each other's rows`() throws {
    try withTemporaryDirectory { directory in
      let folder = directory.appending(path: "a")
      try FileManager.default.createDirectory(
        at: folder.appending(path: "b"), withIntermediateDirectories: true)
      let url = folder.appending(path: "library.sqlite")
      let first = try Database(at: url)
      try Library.fill(first)
      let link = directory.appending(path: "link.sqlite")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
      let path = folder.path(percentEncoded: false)
      let ways = [
        url, link, URL(filePath: path + "/b/../library.sqlite"),
        URL(filePath: path + "/./library.sqlite"), URL(filePath: path + "//library.sqlite"),
        URL(filePath: path + "/library.sqlite/"),
        url.appending(path: "", directoryHint: .isDirectory),
      ]
      for (number, way) in ways.enumerated() {
        let other = try Database(at: way)
        #expect(try Library.count(other) == 3 + 2 * number)
        try other.write { db in try Library.add(1, in: db) }
        #expect(try Library.count(first) == 4 + 2 * number)
        try first.write { db in try Library.add(1, in: db) }
        #expect(try Library.count(other) == 5 + 2 * number)
        let files = try #require(other.files)
        #expect(try files.byteCount() == first.files?.byteCount())
        #expect(files == first.files)
        try other.close()
        #expect(try Library.count(first) == 5 + 2 * number)
      }
      let another = try Database(at: folder.appending(path: "library.sqlite2"))

      #expect(try another.read { db in try db.schema() } == [])
    }
  }

  @Test(.behaviour("A-FM-05"), .behaviour("A-FM-06"), .behaviour("A-WC-06"))
  func `a read-only database refuses writes, even after the database was closed and reopened`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let reading = DatabaseOptions(isReadOnly: true)
      expect(.unavailable) { _ = try Database(at: url, reading) }
      expect(.unavailable) { _ = try Database(at: directory.appending(path: "x/y"), reading) }
      #expect(try Library.names(in: directory) == [])

      let writer = try Database(at: url)
      try Library.fill(writer)
      for isAlone in [false, true] {
        if isAlone { try writer.close() }
        let before = try Data(contentsOf: url)
        let database = try Database(at: url, reading)
        #expect(database.isReadOnly)
        for _ in 0..<2 {
          #expect(try Library.count(database) == 3)
          expect(.accessDenied) {
            try database.execute("DELETE FROM book")
          }
          expect(.accessDenied) { try database.write { db in try db.setUserVersion(3) } }
          #expect(try Library.count(database) == 3)
          try database.whileClosed { _ in }
        }
        try database.close()
        #expect(try Data(contentsOf: url) == before)
      }
      #expect(try Library.count(try Database(at: url, reading)) == 3)
    }
  }

  @Test(.behaviour("A-WC-06"))
  func `a file in a read-only folder can be opened for reading`() throws {
    try withTemporaryDirectory { directory in
      let folder = directory.appending(path: "medium")
      let url = folder.appending(path: "library.sqlite")
      let writer = try Database(at: url)
      try Library.fill(writer)
      try writer.close()
      let files = FileManager.default
      try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: url.path)
      try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
      defer { try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path) }
      // Permissions do not restrict the superuser, so the option is set instead.
      let database = try Database(at: url, DatabaseOptions(isReadOnly: geteuid() == 0))
      #expect(database.isReadOnly)
      #expect(try Library.count(database) == 3)

      expect(.accessDenied) { try database.execute("DELETE FROM book") }
      let copy = directory.appending(path: "copy.sqlite")
      try database.backUp(to: copy)
      #expect(try Library.count(try Database(at: copy)) == 3)
    }
  }

  @Test(.behaviour("A-FM-08"))
  func `a database can be opened after the cause of an earlier failure was removed`() throws {
    try withTemporaryDirectory { directory in
      let folder = directory.appending(path: "shelf")
      let url = folder.appending(path: "library.sqlite")
      try Data().write(to: folder)
      expect(.io) { _ = try Database(at: url) }
      try FileManager.default.removeItem(at: folder)
      let database = try Database(at: url)
      try Library.fill(database)

      #expect(try Library.count(database) == 3)
    }
  }

  @Test(.behaviour("A-FM-10"))
  func `closing a database throws inside a row closure, and waits for a read on another thread`()
    throws
  {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      try Library.fill(database)
      let titles = try database.read { db in
        try db.fetchAll("SELECT title FROM book") { row in
          expect(.misuse) { try database.close() }
          return try row[0] as String
        }
      }
      #expect(titles.count == 3)

      let (inside, closing) = (DispatchSemaphore(value: 0), Promise<Bool>())
      let reader = inBackground {
        try database.read { db in
          try db.fetchAll("SELECT id FROM book") { row in
            inside.signal()
            return try row[0] as Int
          }
        }
      }
      inside.wait()
      Thread.detachNewThread { closing.fulfill((try? database.close()) != nil) }
      #expect(try reader.wait()?.get() == [1, 2, 3])
      #expect(closing.wait() == true)
      expect(.misuse) { _ = try Library.count(database) }
    }
  }

  @Test(.behaviour("A-WC-07"))
  func `many threads can use an in-memory database, and closing the database discards its content`()
    throws
  {
    let database = try Database.inMemory(DatabaseOptions(lockTimeout: .hangLimit))
    try Library.fill(database)
    let wrong = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<50 {
        do {
          try database.write { db in try Library.add(1, in: db) }
          _ = try Library.count(database)
        } catch {
          wrong.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(wrong.withLock { $0 } == [])
    #expect(try Library.count(database) == 403)

    try database.close()
    expect(.misuse) { _ = try Library.count(database) }
    #expect(try Database.inMemory().read { db in try db.schema() } == [])
  }

  @Test(.behaviour("A-WC-10"))
  func `a SQLite error contains code, extended code, message, SQL and file`() throws {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      try Library.fill(database)

      let error = #expect(throws: StorageError.self) {
        try database.write { db in try db.execute("INSERT INTO loan VALUES (\(99), 'Ada')") }
      }
      let cause = try #require(error?.underlying as? SQLiteError)
      #expect(error?.code == .constraintViolated)
      #expect(error?.backend == "sqlite")
      #expect(cause.code.primary == .constraint)
      #expect(cause.code == .constraintForeignKey)
      #expect(cause.message == "FOREIGN KEY constraint failed")
      #expect(cause.sql == "INSERT INTO loan VALUES (?, 'Ada')")
      #expect(cause.path == database.files?.location.path)
      let memory = #expect(throws: StorageError.self) {
        try Database.inMemory().read { db in _ = try db.execute("NONSENSE") }
      }
      #expect((memory?.underlying as? SQLiteError)?.path == nil)
    }
  }

  #if os(Linux)
    @Test(.behaviour("A-CT-C04"))
    func `many threads open at most one writer and readerCount reader connections`() throws {
      try withTemporaryDirectory { directory in
        let url = directory.appending(path: "library.sqlite")
        let database = try Database(
          at: url, DatabaseOptions(lockTimeout: .hangLimit, readerCount: 3))
        let other = try Database(at: directory.appending(path: "library.sqlite2"))
        try Library.fill(database)
        try Library.fill(other)
        let most = Mutex(0)
        let wrong = Mutex<[String]>([])
        for round in 0..<3 {
          DispatchQueue.concurrentPerform(iterations: 24) { thread in
            do {
              if thread % 4 == 0 {
                try database.write { db in try Library.add(1, in: db) }
              } else {
                _ = try Library.count(database)
              }
              let open = try Self.connections(to: url)
              most.withLock { $0 = max($0, open) }
            } catch {
              wrong.withLock { $0.append("\(error)") }
            }
          }
          #expect(wrong.withLock { $0 } == [])
          #expect(try Self.connections(to: url) <= 4)
          try database.whileClosed { _ in
            let left = try Self.connections(to: url)
            #expect(left == 0)
          }
          #expect(try Library.count(database) == 3 + 6 * (round + 1))
        }
        #expect(most.withLock { $0 } <= 4)

        try database.close()
        #expect(try Self.connections(to: url) == 0)
        #expect(try Library.count(other) == 3)
      }
    }

    /// Returns how many descriptors of this process refer to the file.
    private static func connections(to url: URL) throws -> Int {
      let folder = "/proc/self/fd"
      return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)
        return target == url.path
      }
    }
  #endif

  @Test(arguments: ["-journal", "-wal", "-shm"])
  func `opening, replacing or removing a database throws if a journal file is a pipe or folder`(
    suffix: String
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try Library.fill(database)
      try database.close()
      let path = url.path + suffix
      for isPipe in [true, false] {
        if isPipe {
          #expect(mkfifo(path, 0o600) == 0)
        } else {
          try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        expect(.unavailable) { _ = try Database(at: url) }
        expect(.unavailable) { _ = try Database(at: url, .init(isReadOnly: true)) }
        expect(.unavailable) { _ = try StoreInspectorFactory.sqlite.open(url, .init()) }
        expect(.unavailable) { try Database.inMemory().backUp(to: url) }
        expect(.unavailable) { try DatabaseFiles(at: url).remove() }
        try FileManager.default.removeItem(atPath: path)
      }

      #expect(try Library.count(try Database(at: url)) == 3)
    }
  }

  @Test
  func `opening a file read-only while another program writes the file throws a locked error`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try Library.fill(database)
      try database.close()
      let other = try OtherProgram(url)
      try other.run("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE")
      let reading = DatabaseOptions(lockTimeout: .milliseconds(50), isReadOnly: true)
      expect(.locked) { _ = try Database(at: url, reading) }
      try other.run("COMMIT")

      #expect(try Library.count(try Database(at: url, reading)) == 3)
    }
  }
}
