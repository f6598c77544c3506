import BehaviourTrait
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct DeleteTests {
  private func shelves(in db: Connection) throws -> [Edition] {
    try Edition.table.insertAllAndFetch(
      (1...9).map { Edition(title: "\($0)", rating: $0 < 8 ? $0 : nil) }, in: db)
  }

  @Test(.behaviour("A-CT-D01"), .behaviour("A-WC-37"), .behaviour("A-GY-07"))
  func `a deletion removes exactly the rows selected by keys, records or a condition`()
    throws
  {
    try Database.inMemory().write { db throws in
      let editions = try shelves(in: db)
      func left(in db: Connection) throws -> [Int64?] {
        try Edition.order { $0.id }.fetchValues(in: db, { $0.id })
      }

      try #expect(Edition.table.delete(key: 1 as Int64, in: db) == 1)
      try #expect(Edition.table.delete(key: 1 as Int64, in: db) == 0)
      #expect(try Edition.table.delete(keys: [2, 77, 3], in: db) == 2)
      try #expect(Edition.table.delete(editions[3], in: db) == 1)
      try #expect(Edition.table.deleteAll([editions[3], editions[4]], in: db) == 1)
      #expect(try left(in: db) == [6, 7, 8, 9])
      #expect(try Edition.find(4 as Int64, in: db) == nil)
      // The deleted record is still a value; updating it returns 0.
      try #expect(Edition.table.update(editions[3], in: db) == 0)

      #expect(try Edition.where { $0.rating == 7 }.delete(in: db) == 1)
      #expect(try Edition.where { $0.rating == nil && $0.id > 8 }.delete(in: db) == 1)

      let error = #expect(throws: BatchElementError.self) {
        try Edition.table.deleteAll([editions[5], Edition(title: "no key")], in: db)
      }
      #expect(error?.index == 1)
      #expect(try left(in: db) == [6, 8])

      #expect(throws: StorageError.self) { try Lending.table.delete(key: "Ada", in: db) }
    }
  }

  @Test(
    .behaviour("A-WC-37"), arguments: [false, true],
    [Page(), Page(offset: 1), Page(limit: 2), Page(limit: 2, offset: 1)])
  func `a condition, an order, a limit and an offset select the rows of a deletion`(
    isOrdered: Bool, page: Page
  ) throws {
    try Database.inMemory().write { db throws in
      _ = try shelves(in: db)
      var query = Edition.where { $0.rating > 4 }
      if isOrdered { query = query.order { $0.rating.descending } }
      query = page.limit.map { query.limit($0, offset: page.offset) } ?? query.offset(page.offset)

      let going = try query.fetchAll(in: db)

      #expect(try query.delete(in: db) == going.count)
      #expect(going.count == min(3 - page.offset, page.limit ?? 3))
      #expect(try Edition.fetchCount(in: db) == 9 - going.count)
      #expect(try Edition.find(keys: going.compactMap(\.id), in: db) == [])
    }
  }

  @Test(.behaviour("A-CT-D02"), .behaviour("A-CT-D03"))
  func `truncating a table restarts generated keys at 1, and a rollback restores the counter`()
    throws
  {
    let database = try Database.inMemory()
    let last = try database.write { db in try #require(try shelves(in: db).last) }

    #expect(throws: Unwelcome.self) {
      try database.write { db in
        #expect(try Edition.table.truncate(in: db) == 9)
        #expect(try Edition.fetchCount(in: db) == 0)
        try #expect(Edition.table.insertAndFetch(Edition(title: "first"), in: db).id == 1)
        throw Unwelcome()
      }
    }

    try database.write { db in
      #expect(try Edition.fetchCount(in: db) == 9)
      try #expect(Edition.table.delete(last, in: db) == 1)
      try #expect(Edition.table.insertAndFetch(Edition(title: "next"), in: db).id == 10)
      try Edition.table.truncate(in: db)
      try #expect(Edition.table.insertAndFetch(Edition(title: "first"), in: db).id == 1)
    }
  }

  @Test
  func `truncating preserves the counter of generated keys if a trigger cancels a row's deletion`()
    throws
  {
    try Database.inMemory().write { db throws in
      _ = try shelves(in: db)
      try db.execute(
        "CREATE TRIGGER keep BEFORE DELETE ON edition WHEN old.id = 1 BEGIN SELECT RAISE(IGNORE); END"
      )

      #expect(try Edition.table.truncate(in: db) == 8)
      #expect(try Edition.order { $0.id }.fetchValues(in: db, { $0.id }) == [1])
      try #expect(Edition.table.insertAndFetch(Edition(title: "next"), in: db).id == 10)
    }
  }

  @Test
  func `deleteAndFetch returns the deleted records that a condition, order and limit select`()
    throws
  {
    try Database.inMemory().write { db throws in
      let editions = try shelves(in: db)

      let low = try Edition.where { $0.rating < 3 }.deleteAndFetch(in: db)
      let best = try Edition.order { $0.rating.descending }.limit(2).deleteAndFetch(in: db)
      let none = try Edition.where { $0.rating == 99 }.deleteAndFetch(in: db)

      #expect(low.sorted { $0.title < $1.title } == Array(editions[0...1]))
      #expect(best.sorted { $0.title < $1.title } == Array(editions[5...6]))
      #expect(none.isEmpty)
      #expect(try Edition.fetchAll(in: db) == Array(editions[2...4]) + Array(editions[7...]))
    }
  }

  @Test func `deleteAndFetch deletes nothing if one of the records cannot be decoded`() throws {
    try Database.inMemory().write { db throws in
      _ = try shelves(in: db)
      try db.execute("UPDATE edition SET rating = 'many' WHERE id = 5")

      #expect(throws: (any Error).self) { try Edition.all.deleteAndFetch(in: db) }

      #expect(try Edition.fetchCount(in: db) == 9)
    }
  }
}
