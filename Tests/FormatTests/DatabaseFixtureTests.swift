import FixtureLibrary
import Foundation
import Testing
import Undercroft

/// Tests of SQLite databases that earlier versions wrote.
@Suite struct DatabaseFixtureTests {
  private func file(in folder: URL) -> URL { folder.appending(path: "library.sqlite") }

  @Test(arguments: try Fixture.all("sqlite"))
  func `a key-value database of an earlier release opens and accepts a new value`(fixture: Fixture)
    throws
  {
    try fixture.withCopy { folder in
      try expect(
        KeyedValues.afterSecond, andOneMoreIn: { try SQLiteBackend(at: file(in: folder)) })
    }
  }

  @Test(arguments: try Fixture.all("sqlite-log"))
  func `a database whose last batch is in the write-ahead log opens and accepts a new value`(
    fixture: Fixture
  ) throws {
    try fixture.withCopy { folder in
      #expect(try names(in: folder) == ["library.sqlite", "library.sqlite-wal"])

      try expect(
        KeyedValues.afterSecond, andOneMoreIn: { try SQLiteBackend(at: file(in: folder)) })
    }
  }

  @Test(arguments: try Fixture.all("tables"))
  func `the rows of a database of an earlier release can be read and found by full-text search`(
    fixture: Fixture
  ) throws {
    try fixture.withCopy { folder in
      let database = try Database(at: file(in: folder))

      try database.read { db in
        try #expect(
          Author.order { $0.id }.fetchAll(in: db)
            == [Author(id: 1, name: "Jane Austen"), Author(id: 2, name: "Ursula K. Le Guin")])
        try #expect(Book.order { $0.id }.fetchAll(in: db) == Book.shelf)
        try #expect(Loan.order { $0.reader }.fetchAll(in: db) == Loan.desk)
        try #expect(Notice.order { $0.id }.fetchAll(in: db) == Notice.board)
        try #expect(Visit.partitioned.order { $0.id }.fetchAll(in: db) == Visit.day)
      }
      #expect(try found("clever", in: database) == [1])
      #expect(try noticed("书", in: database) == [2])
      #expect(try noticed("会", in: database) == [3])
    }
  }

  private func found(_ words: String, in database: Database) throws -> [Int64?] {
    try database.read { db in
      try Book.search(matching: words).order { $0.id }.fetchAll(in: db).map(\.id)
    }
  }

  private func noticed(_ words: String, in database: Database) throws -> [Int64?] {
    try database.read { db in
      try Notice.search(matching: words).order { $0.id }.fetchAll(in: db).map(\.id)
    }
  }

  @Test(arguments: try Fixture.all("tables"))
  func `writes to a database of an earlier release maintain its indexes and partitioned tables`(
    fixture: Fixture
  ) throws {
    try fixture.withCopy { folder in
      let database = try Database(at: file(in: folder))
      let schema = try schema(of: database)

      try database.write { db in
        let author = try Author(name: "Stanisław Lem").insert(returning: \.id, in: db)
        #expect(author == 4)
        try Book.addition.insert(in: db)
        try #expect(Loan.desk[1].delete(in: db) == 1)
        try #expect(Book.delete(key: 5, in: db) == 1)
        try Loan.addition.insert(in: db)
        try Notice.addition.insert(in: db)
        let visit = try Visit.partitioned.insertAndFetch(Visit(minutes: 5), in: db)
        #expect(visit.id == 8)
      }
      try database.close()

      let again = try Database(at: file(in: folder))
      #expect(try self.schema(of: again) == schema)
      #expect(try found("clever", in: again) == [1, 9])
      #expect(try found("persuasion", in: again) == [])
      #expect(try noticed("館", in: again) == [4])
      #expect(try again.fetchValue("SELECT id FROM visit_2 WHERE minutes = 5", as: Int64.self) == 8)
      #expect(try again.fetchValue("SELECT total FROM loan WHERE reader = 'Cy'", as: Int.self) == 9)
      #expect(try again.integrityCheck() == [])
    }
  }

  /// Returns the statements of all tables, indexes and triggers.
  private func schema(of database: Database) throws -> [String] {
    try database.fetchAll("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid") {
      try $0[0] as String
    }
  }
}
