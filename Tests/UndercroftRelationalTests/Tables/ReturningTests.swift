import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

/// Tests of the writes that return records or single values: of tables, queries and records.
@Suite struct ReturningTests {
  private func shelves(_ count: Int = 4, in db: Connection) throws -> [Edition] {
    try Edition.insertAllAndFetch(
      (1...count).map { Edition(isbn: "\($0)", title: "Volume \($0)", rating: $0) }, in: db)
  }

  @Test func `inserts can return one stored value of each inserted record`() throws {
    try Database.inMemory().write { db in
      let first = Edition(isbn: "1", title: "Dune", rating: 3, shelf: "B")

      let id = try first.insert(returning: \.id, in: db)
      let shelf = try Edition(title: "Emma").insert(only: \.title, returning: \.shelf, in: db)
      let skipped = try first.insert(onConflict: .ignore, returning: \.id, in: db)
      let replaced = try first.insert(onConflict: .replace, returning: \.id, in: db)
      let several = try Edition.insertAll(
        [Edition(title: "Persuasion"), Edition(title: "Ulysses")], returning: \.id, in: db)

      #expect(id == 1)
      #expect(shelf == "unsorted")
      #expect(skipped == nil)
      #expect(try Edition.where { $0.isbn == "1" }.fetchKeys(in: db) == [replaced])
      #expect(
        several == (try Edition.where { $0.title != "Emma" && $0.isbn == nil }.fetchKeys(in: db)))
      let error = #expect(throws: BatchElementError.self) {
        try Edition.insertAll([Edition(isbn: "6"), first], returning: \.id, in: db)
      }
      #expect(error?.index == 1)
      #expect(try Edition.fetchCount(in: db) == 4)
    }
  }

  @Test func `updates of records can return the stored records or one value of each record`() throws
  {
    try Database.inMemory().write { db in
      var editions = try shelves(in: db)
      editions[0].rating = 5
      editions[1].rating = 5
      editions[1].title = "not written"
      let missing = Edition(id: 77, rating: 1)

      let rating = try editions[0].update(only: \.rating, returning: \.rating, in: db)
      let fetched = try Edition.updateAllAndFetch(
        [editions[1], missing, editions[0]], only: \.rating, in: db)
      let keys = try Edition.updateAll([missing, editions[2]], returning: \.id, in: db)

      #expect(rating == 5)
      #expect(try missing.update(returning: \.rating, in: db) == nil)
      #expect(fetched.map(\.id) == [2, 1])
      #expect(fetched.map(\.rating) == [5, 5])
      #expect(fetched[0].title == "Volume 2")
      #expect(keys == [3])
    }
  }

  @Test func `updates by key can return the stored records or one value of each record`() throws {
    try Database.inMemory().write { db in
      _ = try shelves(in: db)

      let one = try Edition.update(key: 1, returning: \.rating, in: db) { $0.rating += 10 }
      let none = try Edition.update(key: 77, returning: \.rating, in: db) { $0.rating = 1 }
      let null = try Edition.update(key: 1, returning: \.note, in: db) { $0.title = "Dune" }
      let unchanged = try Edition.update(key: 1, returning: \.title, in: db) { _ in }
      let fetched = try Edition.updateAndFetch(keys: [3, 77, 2, 3], in: db) { $0.rating += 10 }
      let ratings = try Edition.update(keys: [4, 1], returning: \.rating, in: db) {
        $0.rating += 10
      }

      #expect(one == 11)
      #expect(none == nil)
      #expect(null == nil)
      #expect(unchanged == "Dune")
      #expect(fetched.map(\.id) == [3, 2])
      #expect(fetched.map(\.rating) == [13, 12])
      #expect(ratings == [14, 21])
    }
  }

  @Test func `updates of a query or of all rows can return records or one value of each record`()
    throws
  {
    try Database.inMemory().write { db in
      _ = try shelves(in: db)
      let low = Edition.where { $0.rating < 3 }

      let raised = try low.update(returning: \.id, in: db) { $0.rating += 10 }
      let count = try Edition.updateAll(in: db) { $0.note = "counted" }
      let fetched = try Edition.updateAllAndFetch(in: db) { $0.shelf = "C" }
      let shelves = try Edition.updateAll(returning: \.shelf, in: db) { $0.shelf = "D" }
      let unchanged = try low.update(returning: \.id, in: db) { _ in }

      #expect(raised.sorted() == [1, 2])
      #expect(count == 4)
      #expect(Set(fetched.map(\.shelf)) == ["C"])
      #expect(fetched.count == 4)
      #expect(shelves == ["D", "D", "D", "D"])
      #expect(unchanged == [])
      #expect(try Edition.where { $0.note == "counted" }.fetchCount(in: db) == 4)
    }
  }

  @Test
  func `deletions by record or key can return the deleted records or one value of each record`()
    throws
  {
    try Database.inMemory().write { db in
      let editions = try shelves(9, in: db)
      let missing = Edition(id: 77)

      try #expect(editions[0].deleteAndFetch(in: db) == editions[0])
      try #expect(editions[0].deleteAndFetch(in: db) == nil)
      try #expect(editions[1].delete(returning: \.isbn, in: db) == "2")
      try #expect(Edition.deleteAndFetch(key: 3, in: db) == editions[2])
      try #expect(Edition.delete(key: 3, returning: \.isbn, in: db) == nil)
      try #expect(Edition.delete(key: 4, returning: \.isbn, in: db) == "4")
      let byRecords = try Edition.deleteAllAndFetch([missing, editions[4]], in: db)
      #expect(byRecords == [editions[4]])
      let byRecord = try Edition.deleteAll([editions[5], missing], returning: \.id, in: db)
      #expect(byRecord == [6])
      let byKeys = try Edition.deleteAndFetch(keys: [7, 77, 7], in: db)
      #expect(byKeys == [editions[6]])
      let byKey = try Edition.delete(keys: [77, 8], returning: \.isbn, in: db)
      #expect(byKey == ["8"])
      #expect(try Edition.fetchAll(in: db) == [editions[8]])
    }
  }

  @Test
  func `deleting all rows or the rows of a query can return records or one value of each record`()
    throws
  {
    try Database.inMemory().write { db in
      let editions = try shelves(5, in: db)

      let deleted = try Edition.where { $0.rating < 3 }.delete(returning: \.id, in: db)
      #expect(deleted.sorted() == [1, 2])
      let all = try Edition.deleteAllAndFetch(in: db)
      #expect(all.sorted { ($0.id ?? 0) < ($1.id ?? 0) } == Array(editions[2...]))

      try Edition.insertAll(editions, in: db)
      let keys = try Edition.deleteAll(returning: \.id, in: db)
      #expect(keys.sorted() == [1, 2, 3, 4, 5])

      try Edition.insertAll(editions, in: db)
      #expect(try Edition.deleteAll(in: db) == 5)
      // In contrast to `truncate`, the counter of the keys continues.
      #expect(try Edition(title: "Emma").insert(returning: \.id, in: db) == 6)
      #expect(try Edition.truncate(in: db) == 1)
      #expect(try Edition(title: "Emma").insert(returning: \.id, in: db) == 1)
    }
  }

  @Test
  func `a write that returns values of a column throws and changes nothing if one value is NULL`()
    throws
  {
    try Database.inMemory().write { db in
      let editions = try shelves(2, in: db)

      func fails(_ write: () throws -> Void) throws {
        let error = #expect(throws: StorageError.self) { try write() }
        #expect(error?.code == .decodingFailed)
        #expect(try Edition.fetchAll(in: db) == editions)
      }

      try fails { _ = try Edition.deleteAll(returning: \.note, in: db) }
      try fails { _ = try Edition.where { $0.id == 1 }.delete(returning: \.note, in: db) }
      try fails { _ = try Edition.delete(keys: [1, 2], returning: \.note, in: db) }
      try fails { _ = try Edition.updateAll(returning: \.note, in: db) { $0.rating = 0 } }
      try fails {
        _ = try Edition.update(keys: [1, 2], returning: \.note, in: db) { $0.rating = 0 }
      }
      let error = #expect(throws: BatchElementError.self) {
        try Edition.insertAll([Edition(title: "Emma")], returning: \.note, in: db)
      }
      #expect((error?.underlying as? StorageError)?.code == .decodingFailed)
      #expect(try Edition.fetchAll(in: db) == editions)
    }
  }

  @Test
  func `an upsert with assignments can return the stored records or one column's values`()
    throws
  {
    try Database.inMemory().write { db in
      _ = try shelves(2, in: db)
      let batch = [
        Edition(isbn: "1", title: "Dune", rating: 10), Edition(isbn: "9", rating: 1),
        Edition(isbn: "9", rating: 4),
      ]

      let rating = try Edition(isbn: "2", rating: 5)
        .upsert(on: \.isbn, returning: \.rating, in: db) { $0.rating += $1.rating }
      try Edition.upsertAll(batch, on: \.isbn, in: db) { $0.rating += $1.rating }
      let fetched = try Edition.upsertAllAndFetch(batch, on: \.isbn, in: db) {
        $0.rating += $1.rating
      }
      let keys = try Edition.upsertAll(batch, on: \.isbn, returning: \.isbn, in: db) {
        $0.title = $1.title
      }

      #expect(rating == 7)
      #expect(fetched.map(\.rating) == [21, 6, 10])
      #expect(fetched[0].title == "Volume 1")
      #expect(keys == ["1", "9", "9"])
      #expect(try Edition.fetchCount(in: db) == 3)
    }
  }

  @Test
  func `a batch upsert of named columns can return the stored records or one column's values`()
    throws
  {
    try Database.inMemory().write { db in
      _ = try shelves(2, in: db)
      let batch = [
        Edition(isbn: "2", title: "not written", rating: 9), Edition(isbn: "3", title: "Emma"),
      ]

      let keys = try Edition.upsertAll(
        batch, on: \.isbn, only: \.rating, returning: \.id, in: db)
      let fetched = try Edition.upsertAllAndFetch(batch, on: \.isbn, only: \.rating, in: db)

      #expect(keys.first == 2)
      #expect(keys == fetched.map(\.id))
      #expect(fetched.map(\.title) == ["Volume 2", "Emma"])
      #expect(fetched.map(\.rating) == [9, nil])
    }
  }

  @Test
  func `a write of a virtual record can return the stored record or the value of one column`()
    throws
  {
    try Database.inMemory().write { db in
      let emma: ColumnValues = ["isbn": .text("1"), "title": .text("Emma")]
      let dune: ColumnValues = ["isbn": .text("2"), "title": .text("Dune")]

      let keys = try Edition.insertAll(from: [emma, dune], returning: \.id, in: db)
      let stored = try Edition.insertAllAndFetch(
        from: [["title": .text("Ulysses")] as ColumnValues], in: db)
      try Edition.insertAll(from: [["title": .text("Walden")] as ColumnValues], in: db)
      let changed: ColumnValues = ["id": .integer(2), "rating": .integer(4)]
      let absent: ColumnValues = ["id": .integer(77), "rating": .integer(4)]

      #expect(keys == [1, 2])
      #expect(stored.map(\.id) == [3])
      try #expect(Edition.update(from: changed, returning: \.title, in: db) == "Dune")
      try #expect(Edition.update(from: absent, returning: \.title, in: db) == nil)
      try #expect(Edition.deleteAndFetch(from: changed, in: db)?.rating == 4)
      try #expect(Edition.deleteAndFetch(from: changed, in: db) == nil)
      let first: ColumnValues = ["id": .integer(1)]
      try #expect(Edition.delete(from: first, returning: \.title, in: db) == "Emma")
      #expect(try Edition.fetchCount(in: db) == 2)
    }
  }

  @Test func `fetchOrInsert returns one value of the existing or the new row`() throws {
    try Database.inMemory().write { db in
      let dune = Edition(isbn: "1", title: "Dune")

      let new = try dune.fetchOrInsert(on: \.isbn, returning: \.id, in: db)
      let existing = try Edition(isbn: "1", title: "not written")
        .fetchOrInsert(on: \.isbn, returning: \.title, in: db)
      let error = #expect(throws: StorageError.self) {
        try Edition(isbn: "2").fetchOrInsert(on: \.isbn, returning: \.note, in: db)
      }

      #expect(new == 1)
      #expect(existing == "Dune")
      #expect(error?.code == .decodingFailed)
      #expect(try Edition.fetchCount(in: db) == 1)
    }
  }
}
