import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of the file descriptors of new and copied databases, and of flushes that fail.
@Suite(.enabled(if: faults_are_available() != 0)) struct CopyFaultTests {
  private func withLibrary(_ body: (Database, URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      try Library.fill(database, books: 50)
      try body(database, directory)
    }
  }

  @Test func `a database file is not created if its folder's directory entry cannot be flushed`()
    throws
  {
    try withTemporaryDirectory { directory in
      let folder = directory.appending(path: "library")
      let url = folder.appending(path: "books.sqlite")
      // As a process leaves it that is killed, or whose flush fails, after it has made the folder.
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      faults_arm(Int32(FAULTS_SYNC.rawValue), 1, 1, EIO)

      #expect(throws: StorageError.self) { _ = try Database(at: url) }
      _ = faults_disarm()

      #expect(!FileManager.default.fileExists(atPath: url.path))
      _ = try Database(at: url)
    }
  }

  @Test func `the error after a failed flush of a backup states whether the copy was stored`()
    throws
  {
    try withLibrary { database, directory in
      let url = directory.appending(path: "copy.sqlite")
      for flush in Int32(1)...20 {
        faults_arm(Int32(FAULTS_SYNC.rawValue), flush, 1, EIO)
        var failure: StorageError?
        do { try database.backUp(to: url) } catch { failure = error as? StorageError }
        let calls = faults_disarm()

        let isInPlace = FileManager.default.fileExists(atPath: url.path)
        #expect(isInPlace || failure != nil)
        if let failure { #expect(failure.message.contains("is in place") == isInPlace) }
        if isInPlace {
          #expect(try Library.count(Database(at: url)) == 50)
          try DatabaseFiles(at: url).remove()
        }
        if calls < flush { return }
      }
      Issue.record("a backup flushed more than 20 times")
    }
  }

  @Test
  func `opening a database with power-loss durability throws if the folder cannot be flushed`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let options = DatabaseOptions(durability: .powerLoss)
      let database = try Database(at: url, options)
      try Library.fill(database, books: 5)
      try database.close()

      faults_arm(Int32(FAULTS_SYNC.rawValue), 1, 1, EIO)
      let failure = #expect(throws: StorageError.self) { try Database(at: url, options) }
      _ = faults_disarm()

      #expect(failure?.code == .io)
      #expect(failure?.message.contains("flush") == true, "\(failure?.message ?? "")")
      #expect(try Library.count(Database(at: url, options)) == 5)
    }
  }

  @Test
  func `after a failed flush, the error states whether the database move or removal was made`()
    throws
  {
    try withTemporaryDirectory { directory in
      for flush in Int32(1)...20 {
        let url = directory.appending(path: "library-\(flush).sqlite")
        let new = directory.appending(path: "archive/library-\(flush).sqlite")
        let database = try Database(at: url)
        try Library.fill(database, books: 5)
        try database.close()
        let calls = Int32(FAULTS_SYNC.rawValue)

        faults_arm(calls, flush, 1, EIO)
        let moving = Self.failure { try DatabaseFiles(at: url).move(to: new) }
        let moveCalls = faults_disarm()
        let isMoved = FileManager.default.fileExists(atPath: new.path)
        faults_arm(calls, flush, 1, EIO)
        let removing = Self.failure { try DatabaseFiles(at: isMoved ? new : url).remove() }
        let removeCalls = faults_disarm()

        #expect(moving.map { $0.message.contains("is in place") } ?? true == isMoved)
        let isRemoved = !FileManager.default.fileExists(atPath: (isMoved ? new : url).path)
        #expect(removing.map { $0.message.contains("is in place") } ?? true == isRemoved)
        if moveCalls < flush, removeCalls < flush { return }
      }
      Issue.record("moving a database flushed more than 20 times")
    }
  }

  @Test func `no descriptor of a copy is open when the copy is renamed to its destination`() throws
  {
    try withLibrary { database, directory in
      let url = directory.appending(path: "copy.sqlite")
      for _ in 0..<2 {
        faults_arm(Int32(FAULTS_RENAME.rawValue), 1_000, 1, EIO)
        try database.backUp(to: url)
        #expect(faults_disarm() == 1)
        #expect(faults_open_at_rename() == 0)
      }

      #expect(try Library.count(Database(at: url)) == 50)
    }
  }

  @Test func `creating a database opens no file with O_EXCL`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")

      faults_arm(Int32(FAULTS_OPEN.rawValue), 1_000, 1, EIO)
      let database = try Database(at: url)
      try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
      #expect(faults_disarm() > 0)

      #expect(faults_exclusive_opens() == 0)
      #expect(try Library.mode(of: url) == 0o600)
    }
  }

  private static func failure(_ body: () throws -> Void) -> StorageError? {
    do { try body() } catch { return error as? StorageError }
    return nil
  }
}
