import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of reads and writes that are nested in reads and writes of the same thread.
@Suite struct NestingTests {
  private struct Refusal: Error, Equatable { let shelf: Int }

  enum Location: CaseIterable { case memory, file }

  private func withLibrary(_ location: Location, _ body: (Database) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let database =
        switch location {
        case .memory: try Database.inMemory()
        case .file: try Database(at: directory.appending(path: "library.sqlite"))
        }
      try database.write { db in try db.execute("CREATE TABLE book(title TEXT PRIMARY KEY)") }
      try body(database)
    }
  }

  private func titles(_ database: Database) throws -> [String] {
    try database.read { db in
      try db.fetchAll("SELECT title FROM book ORDER BY title") { row in try row[0] as String }
    }
  }

  private func add(_ title: String, to database: Database) throws {
    try database.write { db in try db.execute("INSERT INTO book VALUES (\(title))") }
  }

  @Test(.behaviour("A-FM-40", "A-WC-16"), arguments: Location.allCases, [true, false])
  func `a failed nested write is rolled back alone, a failed outer write with all nested writes`(
    location: Location, isKept: Bool
  ) throws {
    try withLibrary(location) { database in
      let outer = {
        try database.write { _ in
          try add("Dune", to: database)
          #expect(throws: Refusal(shelf: 1)) {
            try database.write { _ in
              try add("Emma", to: database)
              throw Refusal(shelf: 1)
            }
          }
          try database.write { _ in try add("Ulysses", to: database) }
          #expect(try titles(database) == ["Dune", "Ulysses"])
          if !isKept { throw Refusal(shelf: 2) }
        }
      }
      if isKept {
        try outer()
        #expect(try titles(database) == ["Dune", "Ulysses"])
      } else {
        #expect(throws: Refusal(shelf: 2)) { try outer() }
        #expect(try titles(database) == [])
      }
    }
  }

  @Test(arguments: Location.allCases)
  func `a read nested in a write sees the uncommitted rows of the write`(location: Location) throws
  {
    try withLibrary(location) { database in
      try database.write { _ in
        try add("Dune", to: database)
        #expect(try titles(database) == ["Dune"])
      }
    }
  }

  @Test(arguments: Location.allCases)
  func `a read nested in a read sees the same rows as the outer read`(location: Location) throws {
    try withLibrary(location) { database in
      try add("Dune", to: database)
      try database.read { _ in
        #expect(try titles(database) == ["Dune"])
        let inner = try database.read { _ in try titles(database) }
        #expect(inner == ["Dune"])
      }
    }
  }

  @Test(arguments: Location.allCases)
  func `a write nested in a read throws a misuse error`(location: Location) throws {
    try withLibrary(location) { database in
      let error = #expect(throws: StorageError.self) {
        try database.read { _ in try add("Dune", to: database) }
      }
      #expect(error?.code == .misuse)
      try add("Emma", to: database)
      #expect(try titles(database) == ["Emma"])
    }
  }

  @Test(arguments: Location.allCases, [true, false])
  func `closing the database inside a read or a write throws a misuse error`(
    location: Location, isWriting: Bool
  ) throws {
    try withLibrary(location) { database in
      let error = #expect(throws: StorageError.self) {
        if isWriting {
          try database.write { _ in try database.close() }
        } else {
          try database.read { _ in try database.close() }
        }
      }
      #expect(error?.code == .misuse)
      let remaining = try titles(database)
      #expect(remaining == [])
    }
  }

  @Test
  func `a failed write nested in a row closure does not affect the rows of the surrounding query`()
    throws
  {
    try withLibrary(.file) { database in
      for title in ["Dune", "Emma", "Ulysses"] { try add(title, to: database) }
      try database.write { db in
        let seen = try db.fetchAll("SELECT title FROM book ORDER BY title") { row in
          let title = try row[0] as String
          try? database.write { _ in
            try add(title + " II", to: database)
            throw Refusal(shelf: 1)
          }
          return title
        }
        #expect(seen == ["Dune", "Emma", "Ulysses"])
      }

      #expect(try titles(database).count == 3)
    }
  }

  @Test func `threads that nest writes to two databases in opposite order do not deadlock`() throws
  {
    try withTemporaryDirectory { directory in
      let options = DatabaseOptions(lockTimeout: .milliseconds(100))
      let databases = try ["a", "b"].map { name in
        let database = try Database(at: directory.appending(path: name), options)
        try database.write { db in try db.execute("CREATE TABLE book(title TEXT PRIMARY KEY)") }
        return database
      }
      let group = DispatchGroup()
      for first in 0..<2 {
        group.enter()
        Thread.detachNewThread {
          for _ in 0..<5 {
            _ = try? databases[first].write { _ in
              try databases[1 - first].write { db in try db.execute("DELETE FROM book") }
            }
          }
          group.leave()
        }
      }
      #expect(group.wait(timeout: .hangLimit) == .success)
      for database in databases { try add("Dune", to: database) }
    }
  }

  @Test(arguments: Location.allCases, [true, false])
  func `a write inside a read inside a write throws, and the outer write commits`(
    location: Location, isTransaction: Bool
  ) throws {
    try withLibrary(location) { database in
      let body = { (db: Connection) in
        try db.execute("INSERT INTO book VALUES ('Dune')")
        let error = #expect(throws: StorageError.self) {
          try database.read { _ in try add("Emma", to: database) }
        }
        #expect(error?.code == .misuse)
        try add("Ulysses", to: database)
      }
      if isTransaction {
        try database.write { db in try body(db) }
      } else {
        try database.writeWithoutTransaction { db in try body(db) }
      }

      #expect(try titles(database) == ["Dune", "Ulysses"])
    }
  }
}
