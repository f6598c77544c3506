import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of copies and moves to a path at which another program creates a database at the last
/// moment.
@Suite(.enabled(if: faults_are_available() != 0)) struct DestinationRaceTests {
  private static func create(_ url: URL) throws -> OtherProgram {
    let other = try OtherProgram(url)
    try other.run("PRAGMA journal_mode = WAL")
    try other.run("CREATE TABLE book(title)")
    try other.run("INSERT INTO book VALUES ('Dune')")
    return other
  }

  @Test
  func `a backup does not replace a database opened at the destination during the backup`() throws {
    try withTemporaryDirectory { directory in
      let destination = directory.appending(path: "copy.sqlite")
      let source = try Database.inMemory(DatabaseOptions(lockTimeout: .milliseconds(50)))
      try Library.fill(source, books: 5)
      var other: OtherProgram?

      let error = #expect(throws: StorageError.self) {
        try source.backUp(to: destination) { progress in
          guard progress.remainingPages == 0 else { return }
          beforeFlush { other = try Self.create(destination) }
        }
      }

      #expect(error?.code == .locked, "\(error as Any)")
      try other?.run("INSERT INTO book VALUES ('Emma')")
      #expect(try OtherProgram(destination).texts("SELECT title FROM book") == ["Dune", "Emma"])
      other = nil
      #expect(try OtherProgram(destination).texts("SELECT title FROM book") == ["Dune", "Emma"])
      #expect(try Library.names(in: directory) == ["copy.sqlite"])
    }
  }

  @Test
  func `a backup replaces a database created and closed at the destination during the backup`()
    throws
  {
    try withTemporaryDirectory { directory in
      let destination = directory.appending(path: "copy.sqlite")
      let source = try Database.inMemory()
      try Library.fill(source, books: 5)

      try source.backUp(to: destination) { progress in
        guard progress.remainingPages == 0 else { return }
        beforeFlush { _ = try Self.create(destination) }
      }

      #expect(try OtherProgram(destination).texts("SELECT count(*) FROM book") == ["5"])
    }
  }

  @Test
  func `a non-database file created at the destination during a backup is not replaced`()
    throws
  {
    try withTemporaryDirectory { directory in
      let destination = directory.appending(path: "copy.sqlite")
      let text = Data(String(repeating: "the catalogue of the library\n", count: 100).utf8)
      let source = try Database.inMemory()
      try Library.fill(source, books: 5)

      let error = #expect(throws: StorageError.self) {
        try source.backUp(to: destination) { progress in
          guard progress.remainingPages == 0 else { return }
          beforeFlush { try text.write(to: destination) }
        }
      }

      #expect(error?.code == .unavailable, "\(error as Any)")
      #expect(try Data(contentsOf: destination) == text)
    }
  }

  @Test
  func `moving a database does not replace a database created at the destination during the move`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (old, new) = (
        directory.appending(path: "library.sqlite"), directory.appending(path: "archive.sqlite")
      )
      let database = try Database(at: old)
      try Library.fill(database)
      try database.close()
      var other: OtherProgram?

      beforeFlush { other = try Self.create(new) }
      let error = #expect(throws: StorageError.self) { try DatabaseFiles(at: old).move(to: new) }

      #expect(error?.code == .misuse, "\(error as Any)")
      #expect(other != nil)
      #expect(try OtherProgram(new).texts("SELECT title FROM book") == ["Dune"])
      #expect(try OtherProgram(old).texts("SELECT count(*) FROM book") == ["3"])
    }
  }

  @Test(arguments: [EINVAL, ENOSYS])
  func `a database can be moved on a file system that does not support exclusive rename`(
    error: Int32
  ) throws {
    try withTemporaryDirectory { directory in
      let (old, new) = (
        directory.appending(path: "library.sqlite"), directory.appending(path: "archive.sqlite")
      )
      let database = try Database(at: old)
      try Library.fill(database)
      try database.close()

      faults_arm(Int32(FAULTS_RENAME.rawValue), 1, 1, error)
      var failure: (any Error)?
      do { try DatabaseFiles(at: old).move(to: new) } catch { failure = error }
      let calls = faults_disarm()

      #expect(calls == 1)
      #expect(failure == nil)
      #expect(try Library.names(in: directory) == ["archive.sqlite"])
      #expect(try OtherProgram(new).texts("SELECT count(*) FROM book") == ["3"])
    }
  }

  @Test
  func `a database can be moved on a file system with neither exclusive rename nor hard links`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (old, new) = (
        directory.appending(path: "library.sqlite"), directory.appending(path: "archive.sqlite")
      )
      let database = try Database(at: old)
      try Library.fill(database)
      try database.close()

      // The third call is the plain rename, which succeeds.
      faults_arm(Int32(FAULTS_RENAME.rawValue | FAULTS_LINK.rawValue), 1, 2, EOPNOTSUPP)
      var failure: (any Error)?
      do { try DatabaseFiles(at: old).move(to: new) } catch { failure = error }
      let calls = faults_disarm()

      #expect(calls == 3)
      #expect(failure == nil)
      #expect(try Library.names(in: directory) == ["archive.sqlite"])
    }
  }
}
