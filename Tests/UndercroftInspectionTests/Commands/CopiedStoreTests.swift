import Foundation
import Synchronization
import TestSupport
import Testing
import Undercroft
import UndercroftCore
import UndercroftGDBM

/// Tests of copies of single stores with the command `cp`.
@Suite struct CopiedStoreTests {
  @Test func `a database and its write-ahead log become one file with the latest rows`() throws {
    try withTemporaryDirectory { url in
      let database = try Database(at: url.appending(path: "library.sqlite"))
      try database.write { db in
        try db.execute("CREATE TABLE book(title TEXT)")
        try db.execute("INSERT INTO book VALUES ('Emma')")
      }
      #expect(FileManager.default.fileExists(atPath: url.path + "/library.sqlite-wal"))
      let before = try fileStates(in: url)
      let target = try TemporaryDirectory()

      let answer = try run("cp", url.path + "/library.sqlite", target.file("copy.sqlite"))

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try fileStates(in: url) == before)
      #expect(try target.names == ["copy.sqlite"])
      let text = try SQLiteShell.run(
        "SELECT title FROM book; PRAGMA integrity_check",
        on: URL(filePath: target.file("copy.sqlite")))
      #expect(text == "Emma\nok\n")
      withExtendedLifetime(database) {}
    }
  }

  @Test(arguments: LiveWriter.stores)
  func `a store is copied completely while another process writes to it`(store: String) throws {
    try withTemporaryDirectory { url in
      let writer = try LiveWriter(store, in: url)
      for number in 1...4 {
        let target = try TemporaryDirectory()
        let copy = target.file(writer.name)

        let answer = try run("cp", writer.path, copy)

        #expect(answer.status == 0, "\(number): \(answer.errors)")
        let check = try run(["check", copy] + writer.key)
        #expect(check.status == 0, "\(check.output)")
        #expect(try run(["keys", copy] + writer.key).lines.count > 0)
        #expect(try target.names.allSatisfy { $0.hasPrefix(writer.name) })
      }
      #expect(writer.isRunning)
    }
  }

  @Test(arguments: ["settings", "gdbm"])
  func `a copied store has the values of its journal`(format: String) throws {
    try withTemporaryDirectory { url in
      let store = url.appending(path: "store")
      let choice: BackendChoice = format == "gdbm" ? .gdbm(at: store) : .settings(at: store)
      let backend = try choice.open()
      try backend.apply([.set("theme", Data("dark".utf8))])
      let target = try TemporaryDirectory()

      let answer = try run("cp", store.path, target.file("copy"))

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try run("get", target.file("copy"), "theme").output == "dark\n")
      #expect(try run("get", store.path, "theme", "--snapshot").output == "dark\n")
      withExtendedLifetime(backend) {}
    }
  }

  @Test func `a database with damaged rows is copied unchanged, and check finds the damage`()
    throws
  {
    try withTemporaryDirectory { url in
      let database = url.appending(path: "library.sqlite")
      try SQLiteShell.run(
        """
        PRAGMA page_size = 512; CREATE TABLE loan(book INTEGER); CREATE TABLE book(title TEXT);
        INSERT INTO loan VALUES (7); INSERT INTO book VALUES ('Emma')
        """, on: database)
      var bytes = try Data(contentsOf: database)
      try #require(bytes.count == 3 * 512)
      bytes.replaceSubrange(1_024..., with: Data(repeating: 0xff, count: 512))
      try bytes.write(to: database)
      let target = try TemporaryDirectory()

      let answer = try run("cp", database.path, target.file("copy.sqlite"))
      let check = try run("check", target.file("copy.sqlite"))

      #expect(answer.status == 0, "\(answer.errors)")
      let copy = try Data(contentsOf: URL(filePath: target.file("copy.sqlite")))
      // SQLite counts the changes of a file in its header, which is in the first page.
      #expect(copy.dropFirst(512) == bytes.dropFirst(512))
      let loans = try run("rows", target.file("copy.sqlite"), "loan", "--format", "csv")
      #expect(loans.output == "book\r\n7\r\n")
      #expect(check.status == 65, "\(check.output)")
    }
  }

  @Test func `a journal with a damaged batch is copied unchanged, and check finds the damage`()
    throws
  {
    try withTemporaryDirectory { url in
      let store = url.appending(path: "settings")
      let backend = try JournalledBackend(at: store)
      try backend.apply([.set("theme", Data("dark".utf8))])
      let journal = store.appendingPathExtension("journal")
      try (Data(contentsOf: journal) + Data(repeating: 0x5a, count: 100)).write(to: journal)
      let target = try TemporaryDirectory()

      let answer = try run("cp", store.path, target.file("copy"))
      let check = try run("check", target.file("copy"))

      #expect(answer.status == 0, "\(answer.errors)")
      let copy = try Data(contentsOf: URL(filePath: target.file("copy.journal")))
      #expect(try copy == Data(contentsOf: journal))
      #expect(check.status == 65, "\(check.output)")
      withExtendedLifetime(backend) {}
    }
  }

  @Test func `a copied folder contains the staged values of a committed batch, and no others`()
    throws
  {
    try withTemporaryDirectory { url in
      let store = url.appending(path: "loans")
      try BackendChoice.files(in: store).open().apply([.set("emma", Data("Ada".utf8))])
      let staged = store.appending(path: ".undercroft-1f-2e3d.staged")
      try Data("Charles".utf8).write(to: staged)
      let target = try TemporaryDirectory()

      let interrupted = try run("cp", store.path, target.file("interrupted"))
      // The number is the CRC-32C of the lines before.
      let batch = "undercroft batch 1\nset \(staged.lastPathComponent) dune\nsum 409367270\n"
      try Data(batch.utf8).write(to: store.appending(path: ".undercroft-batch"))
      let committed = try run("cp", store.path, target.file("committed"))

      #expect(interrupted.status == 0, "\(interrupted.errors)")
      let names = try FileManager.default.contentsOfDirectory(atPath: target.file("interrupted"))
      #expect(!names.contains(staged.lastPathComponent))
      #expect(committed.status == 0, "\(committed.errors)")
      #expect(try run("get", target.file("committed"), "dune").output == "Charles\n")
    }
  }

  @Test func `a store whose file changes during each attempt is not copied, with status 75`() throws
  {
    try withTemporaryDirectory { url in
      let store = url.appending(path: "archive")
      var storage = try Storage(home: url.appending(path: "home"))
      try storage.use(.singleFile(at: store), for: .archive)
      try storage.save("Emma", for: StorageKey("book", kind: .archive, default: ""))
      let file = try FileHandle(forWritingTo: store)
      // While a large file is copied, the other thread certainly runs.
      try file.truncate(atOffset: 1 << 26)
      try file.seekToEnd()
      let isDone = Mutex(false)
      // Other tests can occupy all threads of the pool.
      Thread.detachNewThread {
        while !isDone.withLock({ $0 }) { try? file.write(contentsOf: Data([0])) }
      }
      let target = try TemporaryDirectory()

      let answer = try run("cp", store.path, target.file("copy"))
      isDone.withLock { $0 = true }

      #expect(answer.status == 75)
      #expect(!answer.errors.contains("--snapshot"))
      #expect(try target.names == [])
    }
  }
}
