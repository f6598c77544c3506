import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of a file that another process replaces or removes while this process waits for the lock
/// of the file.
///
/// SQLite opens a file before it locks the file. The other process is simulated by a second
/// connection: SQLite separates the locks of connections in one process in the same way as the
/// locks of different processes.
@Suite struct FileReplacementTests {
  /// A library of 3 books in a file that another connection has locked exclusively, and a library
  /// of 7 books in a second file beside it.
  private struct Branch {
    let location: URL
    let other: URL
    let holder: OtherProgram

    /// Waits until the library's file was opened `count` more times than `before`.
    func waitForOpenings(_ count: Int, since before: Int) {
      for _ in 0..<120_000 where RawConnections.count(at: location) < before + count {
        usleep(5_000)
      }
      #expect(RawConnections.count(at: location) >= before + count)
    }

    func replace() { #expect(rename(other.path, location.path) == 0) }

    func books() throws -> [String] {
      try OtherProgram(location).texts("SELECT count(*) FROM book")
    }
  }

  private func withBranch(_ body: (Branch) throws -> Void) throws {
    #expect(RawConnections.record())
    try withTemporaryDirectory { directory in
      let location = directory.appending(path: "library.sqlite")
      let other = directory.appending(path: "other.sqlite")
      for (url, books) in [(location, 3), (other, 7)] {
        let database = try Database(at: url)
        try Library.fill(database, books: books)
        try database.close()
      }
      let holder = try OtherProgram(location)
      try holder.run("PRAGMA journal_mode = DELETE")
      try holder.run("BEGIN EXCLUSIVE")
      try body(Branch(location: location, other: other, holder: holder))
    }
  }

  @Test(arguments: [false, true])
  func `if the file of a database is replaced during opening, the database uses the new file`(
    isReadOnly: Bool
  ) throws {
    try withBranch { branch in
      let (location, before) = (branch.location, RawConnections.count(at: branch.location))
      let options = DatabaseOptions(lockTimeout: .hangLimit, isReadOnly: isReadOnly)
      let opening = inBackground { try Database(at: location, options) }
      branch.waitForOpenings(1, since: before)

      branch.replace()
      try branch.holder.run("COMMIT")

      let database = try #require(try opening.wait()?.get())
      #expect(try Library.count(database) == 7)
      if !isReadOnly {
        try database.execute("DELETE FROM book WHERE id = 1")
        #expect(try branch.books() == ["6"])
      }
    }
  }

  @Test
  func `if the file of a database is removed during opening, the database creates the file again`()
    throws
  {
    try withBranch { branch in
      let (location, before) = (branch.location, RawConnections.count(at: branch.location))
      let opening = inBackground {
        try Database(at: location, DatabaseOptions(lockTimeout: .hangLimit))
      }
      branch.waitForOpenings(1, since: before)

      try FileManager.default.removeItem(at: location)
      try branch.holder.run("COMMIT")

      let database = try #require(try opening.wait()?.get())
      try Library.fill(database, books: 2)
      #expect(try branch.books() == ["2"])
    }
  }

  @Test
  func `a backup throws if a database is moved to the destination and opened during the backup`()
    throws
  {
    try withBranch { branch in
      let (location, before) = (branch.location, RawConnections.count(at: branch.location))
      let copying = inBackground {
        let source = try Database.inMemory(DatabaseOptions(lockTimeout: .hangLimit))
        try Library.fill(source, books: 5)
        try source.backUp(to: location)
      }
      // The backup reads the header through a separate connection.
      branch.waitForOpenings(2, since: before)

      branch.replace()
      let database = try Database(at: location)
      try database.execute("DELETE FROM book WHERE id = 1")
      try branch.holder.run("COMMIT")

      let error = #expect(throws: StorageError.self) { try copying.wait()?.get() }
      #expect(error?.code == .locked)
      try database.execute("DELETE FROM book WHERE id = 2")
      #expect(try branch.books() == ["5"])
      try database.close()
      #expect(try branch.books() == ["5"])
    }
  }

  #if os(Linux)
    /// Closing any descriptor of a file removes the locks that this process has on it. (`fcntl`)
    @Test func `no descriptor of a database file is closed while the database is open`() throws {
      try withTemporaryDirectory { directory in
        let events = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
        defer { close(events) }
        // IN_CLOSE_WRITE and IN_CLOSE_NOWRITE
        #expect(inotify_add_watch(events, directory.path, 0x18) >= 0)

        let database = try Database(at: directory.appending(path: "library.sqlite"))
        try Library.fill(database)
        let copy = directory.appending(path: "copy.sqlite")
        try database.backUp(to: copy)
        #expect(try Library.count(database) == 3)
        #expect(try database.quickCheck() == [])
        database.closeIdleReaders()
        try database.checkpoint(.truncate)

        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(events, &bytes, bytes.count)
        #expect(count > 0)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        // The temporary file of the copy was closed, so the watch works.
        #expect(text.contains(".undercroft-") || text.contains("copy.sqlite"))
        #expect(!text.contains("library.sqlite\0"))
        try database.close()
      }
    }
  #endif
}
