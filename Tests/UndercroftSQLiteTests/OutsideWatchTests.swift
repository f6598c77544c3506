import Foundation
import Synchronization
import SystemCallFaults
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct OutsideWatchTests {
  private func add(_ database: Database) throws {
    try database.write { db in try Library.add(1, in: db) }
  }

  /// A database that is used elsewhere in the same way as by another process.
  private func opened(_ url: URL) throws -> Database { try Database(at: url) }

  /// Runs `body` with a library and another database on its file, which flushes each commit.
  private func withSlowWriter(_ body: (Database, Database, Told) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try Library.fill(database)
      try body(database, try Database(at: url, DatabaseOptions(durability: .powerLoss)), Told())
    }
  }

  @Test(arguments: ["declared", "later", "memory"])
  func `commits in an attached file are told`(when: String) throws {
    try withTemporaryDirectory { directory in
      let archive = directory.appending(path: "archive/archive.sqlite")
      let other = try opened(archive)
      try Library.fill(other)
      let attachments = when == "declared" ? [Attachment(archive, as: "archive")] : []
      let options = DatabaseOptions(attachments: attachments)
      let database =
        when == "memory"
        ? try Database.inMemory(options)
        : try Database(at: directory.appending(path: "library.sqlite"), options)
      let told = Told()
      let registration = try database.observe(.table("book")) { told.add($0) }
      if when != "declared" {
        try database.attach(archive, as: "archive")
        #expect(told.tables().contains(["?"]))
      }
      try add(other)
      #expect(told.waitForTables(["?"]))
      if when != "declared" {
        try database.detach("archive")
        #expect(told.tables().contains(["?"]))
      }
      withExtendedLifetime(registration) {}
    }
  }

  @Test func `commits in a file behind a link are told`() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "shelf/library.sqlite")
      let other = try opened(file)
      try Library.fill(other)
      let link = directory.appending(path: "link.sqlite")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      let database = try Database(at: link)
      let told = Told()
      let registration = try database.observe(.table("book")) { told.add($0) }
      try add(other)
      #expect(told.waitForTables(["?"]))
      withExtendedLifetime(registration) {}
    }
  }

  @Test(arguments: [true, false])
  func `commits in a folder that took another's place are told`(isThereAtOnce: Bool) throws {
    try withTemporaryDirectory { directory in
      let folder = directory.appending(path: "shelf")
      let file = folder.appending(path: "library.sqlite")
      let database = try Database(at: file)
      let told = Told()
      let registration = try database.observe(.table("book")) { told.add($0) }
      try database.whileClosed { _ in
        try FileManager.default.moveItem(at: folder, to: directory.appending(path: "old"))
        if isThereAtOnce { try Library.fill(try opened(file)) }
      }
      #expect(told.tables().contains(["?"]))
      let other = try opened(file)
      if !isThereAtOnce { try Library.fill(other) }
      try add(other)
      #expect(told.waitForTables(["?"]))
      withExtendedLifetime(registration) {}
    }
  }

  @Test func `another file in the same place moves the count of outside changes on`() throws {
    try withTemporaryDirectory { directory in
      let urls = ["library", "second"].map { directory.appending(path: "\($0).sqlite") }
      let backend = try SQLiteBackend(at: urls[0])
      try backend.apply([.set("theme", Data("dark".utf8))])
      do { try SQLiteBackend(at: urls[1]).apply([.set("theme", Data("light".utf8))]) }
      let told = Atomic<Int>(0)
      let watch = try backend.watchExternalChanges { told.add(1, ordering: .relaxed) }
      let before = backend.externalChangeCount()
      try backend.database.whileClosed { files in
        try files.remove()
        try DatabaseFiles(at: urls[1]).move(to: urls[0])
      }
      #expect(backend.externalChangeCount() != before)
      #expect(told.load(ordering: .relaxed) > 0)
      #expect(try backend.read("theme") == Data("light".utf8))
      withExtendedLifetime(watch) {}
    }
  }

  @Test(arguments: [true, false])
  func `a watch that begins during a write of the same database reports no change`(
    isOwnWrite: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let backend = try SQLiteBackend(at: directory.appending(path: "library.sqlite"))
      let calls = Atomic<Int>(0)
      // Another watch, so that the version is known.
      let first = try backend.watchExternalChanges {}
      let (begun, watched) = (Mailbox<Bool>(), Mailbox<Bool>())

      let writing = Library.elsewhere { () throws -> (any ExternalWatch)? in
        try backend.database.write { _ in
          try backend.apply([.set("theme", Data("dark".utf8))])
          guard isOwnWrite else {
            begun.put(true)
            _ = watched.take()
            return nil
          }
          return try backend.watchExternalChanges { calls.add(1, ordering: .relaxed) }
        }
      }
      var watch: (any ExternalWatch)?
      if !isOwnWrite {
        _ = begun.take()
        watch = try backend.watchExternalChanges { calls.add(1, ordering: .relaxed) }
        watched.put(true)
      }
      watch = try writing.take()?.get() ?? watch

      // Most of the comparisons that the watch makes at its beginning.
      usleep(500_000)
      #expect(watch != nil)
      #expect(calls.load(ordering: .relaxed) == 0)
      withExtendedLifetime((first, watch)) {}
    }
  }

  @Test func `a closed database is not observed, and a second close tells nobody`() throws {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      let told = Told()
      let registration = try database.observe(.everything) { told.add($0) }
      try database.close()
      #expect(told.waitForTables(["?"]))
      try database.close()
      #expect(told.take().isEmpty)
      let error = #expect(throws: StorageError.self) { try database.observe(.everything) { _ in } }
      #expect(error?.code == .misuse)
      withExtendedLifetime(registration) {}
    }
  }

  #if os(Linux)
    /// Whether this process watches a folder. (proc_pid_fdinfo(5): the entries of inotify)
    private func isWatched(_ folder: URL) throws -> Bool {
      var status = stat()
      try #require(stat(folder.path, &status) == 0)
      let inode = " ino:" + String(status.st_ino, radix: 16) + " "
      let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo")
      return names.contains { name in
        let text = try? String(contentsOfFile: "/proc/self/fdinfo/" + name, encoding: .utf8)
        return text?.contains(inode) ?? false
      }
    }

    @Test(.enabled(if: faults_are_available() != 0), .timeLimit(.minutes(15)))
    func `a folder whose watch failed after the files were closed is watched later`() throws {
      try withTemporaryDirectory { directory in
        let database = try Database(at: directory.appending(path: "library.sqlite"))
        let registration = try database.observe(.everything) { _ in }
        try #require(try isWatched(directory))

        faults_arm(Int32(FAULTS_WATCH.rawValue), 1, 100, EMFILE)
        try database.whileClosed { _ in () }
        let calls = faults_disarm()

        #expect(calls == 2)
        let deadline = ContinuousClock.now + .seconds(600)
        while try !isWatched(directory), ContinuousClock.now < deadline { usleep(1_000) }
        #expect(try isWatched(directory))
        withExtendedLifetime(registration) {}
      }
    }
  #endif

  @Test(.enabled(if: faults_are_available() != 0))
  func `a watch that could not be had again is made later`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try Library.fill(database)
      let told = Told()
      let registration = try database.observe(.table("book")) { told.add($0) }

      faults_arm(Int32(FAULTS_WATCH.rawValue), 1, 100, EMFILE)
      try database.whileClosed { _ in () }
      let calls = faults_disarm()
      try add(try opened(url))

      #expect(calls == 2)
      // The files may be others, and later what another process wrote while there was no watch.
      #expect(told.tables().contains(["?"]))
      #expect(told.waitForTables(["?"]))
      try add(try opened(url))
      #expect(told.waitForTables(["?"]))
      withExtendedLifetime(registration) {}
    }
  }

  @Test(.enabled(if: faults_are_available() != 0))
  func `a commit that takes seconds to reach the disk is told`() throws {
    try withSlowWriter { database, other, told in
      let registration = try database.observe(.table("book")) { told.add($0) }

      // The log is written by then, and nobody can see the commit before it is flushed.
      beforeFlush { Thread.sleep(forTimeInterval: 6) }
      try add(other)

      #expect(told.waitForTables(["?"]))
      withExtendedLifetime(registration) {}
    }
  }

  @Test(.enabled(if: faults_are_available() != 0))
  func `a commit that is under way when observing begins is told`() throws {
    try withSlowWriter { database, other, told in
      var registration: Registration?

      // The last event of the folder is over by then, and the commit cannot be seen yet.
      beforeFlush { registration = try database.observe(.table("book")) { told.add($0) } }
      try add(other)

      #expect(told.waitForTables(["?"]))
      withExtendedLifetime(registration) {}
    }
  }
}
