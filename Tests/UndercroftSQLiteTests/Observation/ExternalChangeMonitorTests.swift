import Foundation
import Synchronization
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct ExternalChangeMonitorTests {
  private func add(_ database: Database) throws {
    try database.write { db in try Library.add(1, in: db) }
  }

  /// Opens a second database on the file, which acts like another process.
  private func opened(_ url: URL) throws -> Database { try Database(at: url) }

  /// Runs `body` with a library and a second database on its file that flushes each commit.
  private func withSlowWriter(_ body: (Database, Database, CommitCollector) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try Library.fill(database)
      try body(
        database, try Database(at: url, DatabaseOptions(durability: .powerLoss)), CommitCollector())
    }
  }

  @Test(arguments: ["declared", "later", "memory"])
  func `observers are notified of commits that another connection makes to an attached database`(
    when: String
  ) throws {
    try withTemporaryDirectory { directory in
      let archive = directory.appending(path: "archive/archive.sqlite")
      let other = try opened(archive)
      try Library.fill(other)
      let attachments = when == "declared" ? [Database.Attachment(archive, as: "archive")] : []
      let options = DatabaseOptions(attachments: attachments)
      let database =
        when == "memory"
        ? try Database.inMemory(options)
        : try Database(at: directory.appending(path: "library.sqlite"), options)
      let commits = CommitCollector()
      let registration = try database.observe(.table("book")) { commits.append($0) }
      if when != "declared" {
        try database.attach(archive, as: "archive")
        #expect(commits.drainTables().contains(["?"]))
      }
      try add(other)
      #expect(commits.waitForTables(["?"]))
      if when != "declared" {
        try database.detach("archive")
        #expect(commits.drainTables().contains(["?"]))
      }
      withExtendedLifetime(registration) {}
    }
  }

  @Test
  func `a database opened through a symbolic link notifies observers of commits to the target`()
    throws
  {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "shelf/library.sqlite")
      let other = try opened(file)
      try Library.fill(other)
      let link = directory.appending(path: "link.sqlite")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      let database = try Database(at: link)
      let commits = CommitCollector()
      let registration = try database.observe(.table("book")) { commits.append($0) }
      try add(other)

      #expect(commits.waitForTables(["?"]))
      withExtendedLifetime(registration) {}
    }
  }

  @Test(arguments: [true, false])
  func `commits of another connection notify observers after the database's folder was replaced`(
    isThereAtOnce: Bool
  )
    throws
  {
    try withTemporaryDirectory { directory in
      let folder = directory.appending(path: "shelf")
      let file = folder.appending(path: "library.sqlite")
      let database = try Database(at: file)
      let commits = CommitCollector()
      let registration = try database.observe(.table("book")) { commits.append($0) }
      try database.whileClosed { _ in
        try FileManager.default.moveItem(at: folder, to: directory.appending(path: "old"))
        if isThereAtOnce { try Library.fill(try opened(file)) }
      }
      #expect(commits.drainTables().contains(["?"]))

      let other = try opened(file)
      if !isThereAtOnce { try Library.fill(other) }
      try add(other)
      #expect(commits.waitForTables(["?"]))
      withExtendedLifetime(registration) {}
    }
  }

  @Test
  func `replacing a database file in whileClosed changes the backend's external change count`()
    throws
  {
    try withTemporaryDirectory { directory in
      let urls = ["library", "second"].map { directory.appending(path: "\($0).sqlite") }
      let backend = try SQLiteBackend(at: urls[0])
      try backend.apply([.set("theme", Data("dark".utf8))])
      do { try SQLiteBackend(at: urls[1]).apply([.set("theme", Data("light".utf8))]) }
      let calls = Atomic<Int>(0)
      let watch = try backend.watchExternalChanges { calls.add(1, ordering: .relaxed) }
      let before = backend.externalChangeCount()
      try backend.database.whileClosed { files in
        try files.remove()
        try DatabaseFiles(at: urls[1]).move(to: urls[0])
      }

      #expect(backend.externalChangeCount() != before)
      #expect(calls.load(ordering: .relaxed) > 0)
      #expect(try backend.read("theme") == Data("light".utf8))
      withExtendedLifetime(watch) {}
    }
  }

  @Test(arguments: [true, false])
  func `an external change watch started during a write of the same database ignores that write`(
    isOwnWrite: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let backend = try SQLiteBackend(at: directory.appending(path: "library.sqlite"))
      let calls = Atomic<Int>(0)
      // A first watch, so that the data version is known.
      let first = try backend.watchExternalChanges {}
      let (begun, watched) = (Promise<Bool>(), Promise<Bool>())

      let writing = inBackground { () throws -> (any ExternalWatch)? in
        try backend.database.write { _ in
          try backend.apply([.set("theme", Data("dark".utf8))])
          guard isOwnWrite else {
            begun.fulfill(true)
            _ = watched.wait()
            return nil
          }
          return try backend.watchExternalChanges { calls.add(1, ordering: .relaxed) }
        }
      }
      var watch: (any ExternalWatch)?
      if !isOwnWrite {
        _ = begun.wait()
        watch = try backend.watchExternalChanges { calls.add(1, ordering: .relaxed) }
        watched.fulfill(true)
      }
      watch = try writing.wait()?.get() ?? watch

      // Long enough for most of the comparisons that a new watch makes.
      usleep(500_000)
      #expect(watch != nil)
      #expect(calls.load(ordering: .relaxed) == 0)
      withExtendedLifetime((first, watch)) {}
    }
  }

  @Test func `an external change watch started during whileClosed reports later external commits`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let (backend, other) = (try SQLiteBackend(at: url), try SQLiteBackend(at: url))
      for number in 0..<20 {
        let calls = Atomic<Int>(0)
        let watching = inBackground {
          try backend.watchExternalChanges { calls.add(1, ordering: .relaxed) }
        }
        try backend.database.whileClosed { _ in }
        let watch = try watching.wait()?.get()
        let before = calls.load(ordering: .relaxed)

        try other.apply([.set("theme", Data("\(number)".utf8))])

        let end = ContinuousClock.now + .hangLimit
        while calls.load(ordering: .relaxed) == before, ContinuousClock.now < end { usleep(100) }
        #expect(calls.load(ordering: .relaxed) > before)
        withExtendedLifetime(watch) {}
      }
    }
  }

  @Test
  func `an observer called for an external commit reads the setting that the commit stored`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let theme = StorageKey("theme", kind: .preference, default: 0)
      var (chosen, other) = (Storage(), Storage())
      try chosen.use(.sqlite(at: url), for: .preference)
      try other.use(.sqlite(at: url), for: .preference)
      let storage = chosen
      try storage.save(0, for: theme)
      let seen = Atomic<Int>(0)
      let isOver = Atomic<Bool>(false)
      let registration = try storage.database(for: .preference).observe(.everything) { _ in
        seen.store(storage[theme], ordering: .relaxed)
      }
      // The count of changes is never older than some milliseconds.
      let reading = inBackground {
        while !isOver.load(ordering: .relaxed) {
          _ = storage[theme]
          usleep(50)
        }
      }

      for number in 1...20 {
        try other.save(number, for: theme)
        let isSeen = waitUntil { seen.load(ordering: .relaxed) == number }
        #expect(isSeen)
        guard isSeen else { break }
      }
      isOver.store(true, ordering: .relaxed)
      _ = reading.wait()
      withExtendedLifetime(registration) {}
    }
  }

  @Test
  func `observing a closed database throws, and closing a database again notifies no observer`()
    throws
  {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      let commits = CommitCollector()
      let registration = try database.observe(.everything) { commits.append($0) }
      try database.close()
      #expect(commits.waitForTables(["?"]))
      try database.close()
      #expect(commits.drain().isEmpty)
      let error = #expect(throws: StorageError.self) { try database.observe(.everything) { _ in } }
      #expect(error?.code == .misuse)
      withExtendedLifetime(registration) {}
    }
  }

  #if os(Linux)
    /// Waits until this process watches a folder (`proc_pid_fdinfo(5)`, entries of inotify).
    ///
    /// One observation counts, because a watch that is replaced is absent for a moment. A file of
    /// the list is unreadable if another thread closes its descriptor, and so is the whole list
    /// while another test uses all descriptors of the process.
    private func isEventuallyWatched(_ folder: URL) throws -> Bool {
      var status = stat()
      try #require(stat(folder.path, &status) == 0)
      let inode = " ino:" + String(status.st_ino, radix: 16) + " "
      return waitUntil {
        let list = "/proc/self/fdinfo"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: list)) ?? []
        return names.contains { name in
          let text = try? String(contentsOfFile: "\(list)/\(name)", encoding: .utf8)
          return text?.split(separator: "\n")
            .contains { $0.hasPrefix("inotify ") && $0.contains(inode) } ?? false
        }
      }
    }

    @Test(.enabled(if: faults_are_available() != 0), .timeLimit(.hangLimit))
    func `if starting a folder watch fails after whileClosed, the database retries with success`()
      throws
    {
      try withTemporaryDirectory { directory in
        let database = try Database(at: directory.appending(path: "library.sqlite"))
        let registration = try database.observe(.everything) { _ in }
        try #require(try isEventuallyWatched(directory))

        faults_arm(Int32(FAULTS_WATCH.rawValue), 1, 100, EMFILE)
        try database.whileClosed { _ in () }
        let calls = faults_disarm()

        #expect(calls == 2)
        #expect(try isEventuallyWatched(directory))
        withExtendedLifetime(registration) {}
      }
    }
  #endif

  @Test(.enabled(if: faults_are_available() != 0))
  func `a folder watch started again after a failure reports external changes`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try Library.fill(database)
      let commits = CommitCollector()
      let registration = try database.observe(.table("book")) { commits.append($0) }

      faults_arm(Int32(FAULTS_WATCH.rawValue), 1, 100, EMFILE)
      try database.whileClosed { _ in () }
      let calls = faults_disarm()
      try add(try opened(url))

      #expect(calls == 2)
      // One report that the files may be different, and one for what the other connection wrote
      // while no watch existed.
      #expect(commits.waitForTables(["?"], count: 2))
      try add(try opened(url))
      #expect(commits.waitForTables(["?"]))
      withExtendedLifetime(registration) {}
    }
  }

  @Test(.heavy, .enabled(if: faults_are_available() != 0))
  func `another connection's commit notifies observers even if the commit's flush takes seconds`()
    throws
  {
    try withSlowWriter { database, other, commits in
      let registration = try database.observe(.table("book")) { commits.append($0) }

      // The log is already written, but the commit is not visible before the flush.
      beforeFlush { Thread.sleep(forTimeInterval: 6) }
      try add(other)

      #expect(commits.waitForTables(["?"]))
      withExtendedLifetime(registration) {}
    }
  }

  @Test(.enabled(if: faults_are_available() != 0))
  func `observers are notified of a commit whose flush is in progress when observation begins`()
    throws
  {
    try withSlowWriter { database, other, commits in
      var registration: Registration?

      // The last file-system event has already occurred, and the commit is not visible yet.
      beforeFlush { registration = try database.observe(.table("book")) { commits.append($0) } }
      try add(other)

      #expect(commits.waitForTables(["?"]))
      withExtendedLifetime(registration) {}
    }
  }

  @Test
  func `an external change watch started during another thread's write does not report the write`()
    throws
  {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      try Library.fill(database)
      let isWriting = DispatchSemaphore(value: 0)
      let writer = Thread {
        try? database.write { _ in
          isWriting.signal()
          Thread.sleep(forTimeInterval: 0.002)
        }
      }
      writer.start()
      isWriting.wait()
      let calls = Mutex(0)

      let watch = try SQLiteBackend(database).watchExternalChanges { calls.withLock { $0 += 1 } }
      // The polls that follow the last file-system event by less than 0.1 s.
      try add(database)
      Thread.sleep(forTimeInterval: 0.1)

      #expect(calls.withLock { $0 } == 0)
      withExtendedLifetime(watch) {}
    }
  }
}
