import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct RelationTests {
  struct Novel: TableRecord, Equatable {
    var id: Int64?
    var title: String
    var authorID: Int64?

    static let table = Table(
      "novel", Novel.init, Column("id", \.id).primaryKey(), Column("title", \.title),
      Column("author_id", \.authorID))

    func author(in db: Connection) throws -> Author? {
      try related(\.authorID, in: db)
    }
  }

  @Test(.behaviour("A-GY-02"))
  func `reading a related record finds the referenced row, and returns nil for a NULL foreign key`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      let author = try Author.table.insertAndFetch(Author(name: "Austen"), in: db)
      _ = try Novel.table.insert(Novel(title: "Emma", authorID: author.id), in: db)
      _ = try Novel.table.insert(Novel(title: "Beowulf"), in: db)
    }
    try database.read { db in
      let novels = try Novel.order { $0.title }.fetchAll(in: db)
      let direct = try Author.find(1 as Int64, in: db)
      #expect(try novels.map { try $0.author(in: db) } == [nil, direct])
      #expect(direct == Author(id: 1, name: "Austen"))
      #expect(try novels[1].related(\.authorID, as: Author.self, in: db) == direct)
    }
  }

  @Test(.behaviour("A-GY-06"))
  func `a foreign key is stored, and the related row is found after reopening the file`() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "novels.sqlite")
      let first = try Database(at: file)
      let saved = try first.write { db in
        let author = try Author.table.insertAndFetch(Author(name: "Austen"), in: db)
        return try Novel.table.insertAndFetch(Novel(title: "Emma", authorID: author.id), in: db)
      }
      try first.close()
      let second = try Database(at: file)
      try second.read { db in
        let novel = try #require(try Novel.find(1 as Int64, in: db))
        #expect(novel == saved && novel.authorID == 1)
        #expect(try novel.author(in: db)?.name == "Austen")
        #expect(try Novel.where { $0.authorID == 1 }.fetchAll(in: db) == [novel])
      }
      try second.close()
    }
  }

  @Test func `fetching a related record returns nil after the row of that record was deleted`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      let author = try Author.table.insertAndFetch(Author(name: "Austen"), in: db)
      let novel = try Novel.table.insertAndFetch(Novel(title: "Emma", authorID: author.id), in: db)
      let held = try novel.author(in: db)

      try #expect(Author.table.delete(author, in: db) == 1)

      #expect(try novel.author(in: db) == nil)
      #expect(held == author)
    }
  }
}
