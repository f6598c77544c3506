import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of an open database whose file was moved, replaced or removed.
@Suite struct OpenFilesTests {
  private func expect(_ words: String, _ body: () throws -> Void) {
    let error = #expect(throws: StorageError.self) { try body() }
    #expect(error?.code == .unavailable, "\(error as Any)")
    #expect(error?.message.contains(words) == true, "\(error as Any)")
  }

  private func withTwo(_ body: (Database, _ url: URL, _ other: URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let other = directory.appending(path: "other.sqlite")
      for (location, books) in [(url, 3), (other, 7)] {
        let database = try Database(at: location)
        try Library.fill(database, books: books)
        try database.close()
      }
      try body(try Database(at: url, .init(lockTimeout: .milliseconds(200))), url, other)
    }
  }

  @Test func `new reads and writes throw if another file replaced the database file`() throws {
    try withTwo { database, url, other in
      #expect(try Library.count(database) == 3)
      database.closeIdleReaders()
      #expect(rename(other.path, url.path) == 0)
      expect("the file was replaced") { _ = try Library.count(database) }
      expect("the file was replaced") {
        try database.write { db in _ = try db.execute("DELETE FROM book") }
      }
      try database.close()
      #expect(try Library.count(try Database(at: url)) == 7)
    }
  }

  @Test func `a write to a removed database file throws and does not create a new file`() throws {
    try withTwo { database, url, other in
      try FileManager.default.removeItem(at: url)
      expect("the file was removed") {
        try database.write { db in _ = try db.execute("DELETE FROM book") }
      }
      expect("the file was removed") { _ = try Library.count(database) }
      #expect(!FileManager.default.fileExists(atPath: url.path))
      try database.close()
    }
  }

  @Test func `a database is usable again after its file was moved away and back`() throws {
    try withTwo { database, url, other in
      let aside = url.appendingPathExtension("aside")
      #expect(rename(url.path, aside.path) == 0)
      expect("the file was removed") { _ = try Library.count(database) }
      #expect(rename(aside.path, url.path) == 0)
      let count = try Library.count(database)
      #expect(count == 3)
    }
  }

  @Test func `the file of a database can be replaced within whileClosed`() throws {
    try withTwo { database, url, other in
      #expect(try Library.count(database) == 3)
      try database.whileClosed { _ in #expect(rename(other.path, url.path) == 0) }
      #expect(try Library.count(database) == 7)
      try database.write { db in _ = try db.execute("DELETE FROM book WHERE id = 1") }
      #expect(try Library.count(database) == 6)
    }
  }

  @Test func `using an attached database throws if another file replaced the attached file`() throws
  {
    try withTwo { database, url, other in
      try database.attach(other, as: "other")
      let count = {
        try database.read { db in try db.fetchValue("SELECT count(*) FROM other.book") as Int? }
      }
      #expect(try count() == 7)

      let third = url.appendingPathExtension("third")
      try FileManager.default.copyItem(at: url, to: third)
      database.closeIdleReaders()
      #expect(rename(third.path, other.path) == 0)

      expect("the file was replaced") { _ = try count() }
      expect("the file was replaced") {
        try database.write { db in _ = try db.execute("DELETE FROM other.book") }
      }
      try database.detach("other")
      #expect(try Library.count(database) == 3)
    }
  }
}
