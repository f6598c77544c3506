import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

/// Tests of limits and offsets of queries.
@Suite struct LimitTests {
  private struct Title: Decodable, Equatable { var title: String }

  private func library() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      try Book.table.insertAll(["a", "b", "c", "d"].map { Book(title: $0) }, in: db)
    }
    return database
  }

  @Test func `setting a limit preserves an earlier offset and replaces an earlier limit`() throws {
    try library().read { db in
      let query = Book.order { $0.id }.offset(1)
      try #expect(query.limit(2).fetchAll(in: db).map(\.title) == ["b", "c"])

      try #expect(query.limit(2, offset: 2).fetchAll(in: db).map(\.title) == ["c", "d"])

      try #expect(query.fetchOne(as: Title.self, in: db) == Title(title: "b"))
      try #expect(query.limit(0).fetchOne(as: Title.self, in: db) == nil)
      try #expect(query.limit(0).fetchOne(filling: { ColumnValues() }, in: db) == nil)

      let pairs = Book.join(Book.all) { $0.id == $1.id }.order { book, _ in book.id }
      try #expect(pairs.limit(2, offset: 1).limit(1).fetchAll(in: db).map(\.0.title) == ["b"])
    }
  }

  @Test func `a limited delete supports WITHOUT ROWID tables and columns named rowid`()
    throws
  {
    struct Entry: Sendable, Equatable {
      var rowid: String
      var word: String
    }
    let table = Table(
      "entry", Entry.init, Column("rowid", \Entry.rowid), Column("word", \Entry.word))
    struct Sign: Sendable {
      var code: String?
      var word: String
    }
    let signs = Table(
      "sign", Sign.init, Column("code", \Sign.code).primaryKey(), Column("word", \Sign.word)
    ).withoutRowID()
    try Database.inMemory().write { db in
      try table.insertAll(
        ["a", "b", "c"].map { Entry(rowid: "same", word: $0) }, in: db)

      let same = table.where { $0.rowid == "same" }
      #expect(try same.order { $0.word }.limit(1).delete(in: db) == 1)
      #expect(try table.order { $0.word }.fetchAll(in: db).map(\.word) == ["b", "c"])

      try signs.insertAll(["x", "y"].map { Sign(code: $0, word: $0) }, in: db)

      #expect(try signs.order { $0.word }.limit(1).delete(in: db) == 1)
      #expect(try signs.order { $0.word }.fetchAll(in: db).map(\.word) == ["y"])
    }
  }

  @Test func `fetching virtual records from tables that do not exist yet returns no record`() throws
  {
    let database = try Database.inMemory()
    try database.read { db in
      let known = Book.where { $0.title.isIn(Author.all.select { $0.name }) }
      try #expect(known.fetchAll(filling: { ColumnValues() }, in: db).isEmpty)
    }
  }
}
