import Foundation
import TestSupport
import Testing
import Undercroft

@Suite struct CommonTasksTests {
  private typealias Book = CommonTasks.Book
  private typealias Loan = CommonTasks.Loan

  private let due = Date(timeIntervalSince1970: 1_000_000)

  /// A library of three books, the first of which is lent.
  private func library() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      let austen = try CommonTasks.Author(name: "Jane Austen").insert(returning: \.id, in: db)
      let frank = try CommonTasks.Author(name: "Frank Herbert").insert(returning: \.id, in: db)
      try Book.insertAll(
        [
          Book(authorID: austen, title: "Emma", isbn: "1", rating: 4),
          Book(authorID: austen, title: "Persuasion", rating: 5, copies: 3),
          Book(authorID: frank, title: "Dune", isbn: "3", rating: 1),
        ], in: db)
      try Loan(bookID: 1, reader: "Ada", due: due).insert(in: db)
    }
    return database
  }

  @Test func `the examples of reading in the guide of common tasks return the documented results`()
    throws
  {
    let database = try library()

    #expect(try CommonTasks.one(database, 3).map { $0?.title } == ["Dune", "Emma", "Persuasion"])
    #expect(try CommonTasks.rating(database) == 4)
    let several = try CommonTasks.several(database)
    #expect(several.0.map(\.title) == ["Emma", "Persuasion", "Dune"])
    #expect(several.1.map(\.title) == ["Emma", "Persuasion"])
    #expect(Set(several.2) == ["Emma", "Persuasion", "Dune"])
    let (count, good, isRare, copies) = try CommonTasks.count(database)
    #expect([count, good, copies] == [3, 2, 5])
    #expect(isRare)
    #expect(try CommonTasks.page(database) == [["Persuasion", "Emma"], ["Dune"]])
    #expect(try CommonTasks.join(database) == ["Ada: Emma, Jane Austen"])
    #expect(try CommonTasks.joinAll(due + 1, database) == ["Ada: Emma, Jane Austen"])
    #expect(try CommonTasks.joinAll(due, database) == [])
    let related = try CommonTasks.relate(database)
    #expect(Set(related.0) == ["Persuasion", "Dune"])
    #expect(related.1 == [1: 1])
    #expect(try CommonTasks.search("pers", database).map(\.title) == ["Persuasion"])
    #expect(try CommonTasks.overdue(due + 1, database).map(\.reader) == ["Ada"])
    #expect(try CommonTasks.overdue(due, database) == [])
  }

  @Test func `the date comparison in the guide of common tasks returns the documented results`()
    throws
  {
    let database = try library()
    let fine = Date(timeIntervalSince1970: 2_000_000.123_4)
    let whole = Date(timeIntervalSince1970: 3_000_000)

    #expect(try CommonTasks.compare(fine, 2, "Ben", database) == [true, false, true])
    #expect(try CommonTasks.compare(whole, 2, "Eve", database) == [true, true, true])
  }

  @Test func `the examples of writing in the guide of common tasks return the documented results`()
    throws
  {
    let database = try library()

    #expect(try CommonTasks.insert(database).title == "Persuasion")
    #expect(try CommonTasks.update(2, database) == 3)
    let emma = Book(authorID: 1, title: "Emma, revised", isbn: "1", rating: 5, copies: 2)
    let upserted = try CommonTasks.upsert(emma, database)
    #expect(upserted.map(\.id) == [1])
    #expect(upserted.map(\.copies) == [4])
    let ulysses = Book(authorID: 1, title: "Ulysses", isbn: "9")
    let imported = try CommonTasks.importAll([emma, ulysses], database)
    #expect(imported.first == 1)
    #expect(imported.count == 2)
    #expect(try CommonTasks.tag(2, "classic", database).map(\.id) == [2])
    #expect(try CommonTasks.lend([2, 77], to: "Bob", until: due, database) == [77])
    let deleted = try CommonTasks.delete(3, due, database)
    #expect(deleted.0?.title == "Dune")
    #expect(deleted.1 == 2)
  }

  @Test(.timeLimit(.hangLimit))
  func `the asynchronous examples in the guide of common tasks return the documented results`()
    async throws
  {
    let database = try library()

    #expect(try await CommonTasks.observe(database) == ["Dune", "Emma", "Persuasion"])
    #expect(try await CommonTasks.fetch(database).map(\.rating) == [5, 6, 2])
  }
}
