import BehaviourTrait
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of the pool of reader connections: of its size, and of the rows that readers see during a
/// write.
@Suite(.timeLimit(.hangLimit)) struct ReaderPoolTests {
  private struct Refusal: Error {}

  /// Counts the opened connections by the calls of the set-up closure.
  private func withLibrary(
    readers: Int = 5, _ body: (Database, _ opened: () -> Int) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let opened = Atomic<Int>(0)
      let options = DatabaseOptions(
        lockTimeout: .hangLimit, readerCount: readers,
        setUp: { _ in opened.add(1, ordering: .sequentiallyConsistent) })
      let database = try Database(at: directory.appending(path: "library.sqlite"), options)
      try database.write { db in
        try db.execute("CREATE TABLE book(title TEXT)")
        try db.execute("CREATE TABLE loan(title TEXT)")
      }
      try body(database) { opened.load(ordering: .sequentiallyConsistent) }
    }
  }

  private static func count(_ database: Database) throws -> Int? {
    try database.read { db in try db.fetchValue("SELECT count(*) FROM book") }
  }

  /// Lets `count` threads read at the same time.
  private func readAtOnce(_ count: Int, _ database: Database) throws {
    let (arrived, bell) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let threads = (0..<count).map { _ in
      inBackground {
        try database.read { _ in
          arrived.signal()
          return bell.wait(timeout: .hangLimit) == .success
        }
      }
    }
    for _ in threads { #expect(arrived.wait(timeout: .hangLimit) == .success) }
    for _ in threads { bell.signal() }
    for thread in threads { #expect(try thread.wait()?.get() == true) }
  }

  @Test(.behaviour("A-FM-42"))
  func `the pool opens reader connections on demand and closes idle readers on request`() throws {
    try withLibrary(readers: 3) { database, opened in
      // The writer connection.
      #expect(opened() == 1)
      for _ in 0..<10 { #expect(try Self.count(database) == 0) }
      #expect(opened() == 2)
      try readAtOnce(2, database)
      #expect(opened() == 3)
      try readAtOnce(3, database)
      try readAtOnce(3, database)
      #expect(opened() == 4)
      try database.read { db in
        database.closeIdleReaders()
        let count = try db.fetchValue("SELECT count(*) FROM book") as Int?
        #expect(count == 0)
      }
      // The connection in use remained open.
      #expect(try Self.count(database) == 0)
      #expect(opened() == 4)
      try readAtOnce(3, database)
      #expect(opened() == 6)
    }
  }

  @Test(.behaviour("A-FM-42"))
  func `rolling back a nested transaction also rolls back the transactions inside it`() throws {
    try withLibrary { database, _ in
      let titles = {
        try database.read { db in
          try db.fetchAll("SELECT title FROM book ORDER BY rowid") { row in try row[0] as String }
        }
      }
      try database.write { db in
        try db.execute("INSERT INTO book VALUES ('Dune')")
        try? db.transaction { db in
          try db.execute("INSERT INTO book VALUES ('Emma')")
          try db.transaction { db in try db.execute("INSERT INTO book VALUES ('Ulysses')") }
          try? db.transaction { db in
            try db.execute("DELETE FROM book")
            throw Refusal()
          }
          #expect(try titles() == ["Dune", "Emma", "Ulysses"])
          throw Refusal()
        }
        #expect(try titles() == ["Dune"])
        try db.transaction { db in try db.execute("INSERT INTO book VALUES ('Persuasion')") }
      }

      #expect(try titles() == ["Dune", "Persuasion"])
    }
  }

  @Test(.behaviour("A-FM-42"))
  func `a LIKE pattern can be interpolated as a bound value`() throws {
    try withLibrary { database, _ in
      try database.write { db in
        for title in ["Emma", "Persuasion", "100% Dune", "It's Emma"] {
          try db.execute("INSERT INTO book VALUES (\(title))")
        }
      }
      let found = { (pattern: String) in
        try database.read { db in
          try db.fetchAll(
            "SELECT title FROM book WHERE title LIKE \(pattern) ESCAPE '\\' ORDER BY title"
          ) { row in try row[0] as String }
        }
      }

      #expect(try found("%emma") == ["Emma", "It's Emma"])
      #expect(try found("%'s%") == ["It's Emma"])
      #expect(try found("%\\%%") == ["100% Dune"])
      #expect(try found("' OR 1 --") == [])
    }
  }

  @Test(.behaviour("A-FM-42"))
  func `concurrent readers see only complete transactions, and no read fails`() throws {
    try withLibrary(readers: 3) { database, opened in
      let isOver = Atomic<Bool>(false)
      let readers = (0..<6).map { _ in
        inBackground {
          var wrong = 0
          var last = 0
          repeat {
            let (books, loans) = try database.read { db in
              (
                try db.fetchValue("SELECT count(*) FROM book") as Int? ?? -1,
                try db.fetchValue("SELECT count(*) FROM loan") as Int? ?? -2
              )
            }
            if books != loans || books < last { wrong += 1 }
            last = books
          } while !isOver.load(ordering: .relaxed)
          return wrong
        }
      }
      let writers = (0..<3).map { writer in
        inBackground {
          for number in 0..<100 {
            try? database.write { db in
              try db.execute("INSERT INTO book VALUES (\("\(writer)/\(number)"))")
              try db.execute("INSERT INTO loan VALUES (\("\(writer)/\(number)"))")
              if number % 4 == 3 { throw Refusal() }
            }
          }
        }
      }
      for writer in writers { try #require(writer.wait()).get() }
      isOver.store(true, ordering: .relaxed)
      for reader in readers { #expect(try reader.wait()?.get() == 0) }

      #expect(try Self.count(database) == 225)
      #expect(opened() <= 4)
    }
  }
}
