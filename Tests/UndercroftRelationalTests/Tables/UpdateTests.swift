import BehaviourTrait
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct UpdateTests {
  private func shelves(_ count: Int, in db: Connection) throws -> [Edition] {
    try Edition.table.insertAllAndFetch(
      (1...count).map { Edition(isbn: "\($0)", title: "Volume \($0)", rating: $0) },
      in: db)
  }

  @Test(.behaviour("A-CT-U01"), .behaviour("A-CT-U06"), .behaviour("A-WC-36"))
  func `an update writes whole records or named columns to the rows with the records' keys`() throws
  {
    try Database.inMemory().write { db in
      var editions = try shelves(4, in: db)

      editions[1].title = "Emma"
      try #expect(Edition.table.update(editions[1], in: db) == 1)
      #expect(try Edition.fetchAll(in: db) == editions)

      for index in 1...2 { (editions[index].rating, editions[index].note) = (9, "not written") }
      let missing = Edition(id: 77, title: "Ulysses")
      let count = try Edition.table.updateAll(
        [editions[1], editions[2], missing], only: \.rating, in: db)
      #expect(count == 2)
      for index in 1...2 { editions[index].note = nil }
      #expect(try Edition.fetchAll(in: db) == editions)

      editions[3].note = "lent"
      try #expect(Edition.table.update(editions[3], only: \.note, \.rating, in: db) == 1)
      try #expect(Edition.table.update(missing, only: \.note, in: db) == 0)
      #expect(try Edition.fetchAll(in: db) == editions)
    }
  }

  @Test(.behaviour("A-CT-U02"))
  func `a batch update changes no row if a record has no key or violates a constraint`() throws {
    try Database.inMemory().write { db in
      let editions = try shelves(3, in: db)
      var changed = editions
      changed[0].title = "Emma"
      changed[2].isbn = "2"

      let error = #expect(throws: BatchElementError.self) {
        try Edition.table.updateAll(changed, in: db)
      }
      #expect(error?.index == 2)

      changed[2].id = nil
      #expect(throws: BatchElementError.self) {
        try Edition.table.updateAll(changed, in: db)
      }

      #expect(try Edition.fetchAll(in: db) == editions)
    }
  }

  @Test(.behaviour("A-CT-U03"))
  func `an update writes nil as the column's default if replacesNil is true, otherwise as NULL`()
    throws
  {
    try Database.inMemory().write { db in
      var edition = try Edition.table.insertAndFetch(
        Edition(title: "Dune", rating: 5, shelf: "C"), in: db)

      (edition.rating, edition.shelf) = (nil, nil)
      try #expect(Edition.table.update(edition, in: db) == 1)
      try #expect(
        Edition.find(1 as Int64, in: db)
          == Edition(id: 1, title: "Dune", shelf: "unsorted"))

      try Edition.table.update(key: 1, in: db) { $0.shelf = "D" }
      try Edition.table.update(key: 1, in: db) { $0.shelf = nil }
      #expect(try Edition.find(1 as Int64, in: db)?.shelf == "unsorted")

      // A default that does not replace nil.
      let note = try Note.table.insertAndFetch(Note(text: nil), in: db)
      #expect(note.text == nil)
      try #expect(Note.table.insertAndFetch(note, only: \.place, in: db).text == "empty")
      try #expect(Note.table.update(Note(id: 2, text: nil), in: db) == 1)
      #expect(try Note.find(2 as Int64, in: db)?.text == nil)
    }
  }

  private struct Note: TableRecord, Equatable {
    var id: Int64?
    var text: String?
    var place = ""
    static let table = Table(
      "note", Note.init,
      Column("id", \.id).primaryKey(),
      Column("text", \.text).default("empty", replacesNil: false),
      Column("place", \.place))
  }

  @Test(.behaviour("A-CT-U04"), .behaviour("A-CT-U05"), .behaviour("A-GY-08"))
  func `an update by key, keys or condition sets columns of the selected rows and of no others`()
    throws
  {
    try Database.inMemory().write { db in
      let ids = try shelves(9, in: db).compactMap(\.id)
      func ratings(in db: Connection) throws -> [Int?] {
        try Edition.order { $0.id }.fetchValues(in: db, { $0.rating })
      }

      let updated = try Edition.table.update(key: ids[0], in: db) { $0.rating = 90 }
      #expect(updated == 1)
      let missing = try Edition.table.update(key: 77 as Int64, in: db) {
        $0.rating = 90
      }
      #expect(missing == 0)

      let count = try Edition.table.update(keys: [2, 3, 3, 77], in: db) {
        $0.rating = SQLExpression<Int?>("\($0.rating.sql) + 10")
        $0.note = "new"
      }
      #expect(count == 2)

      let list = [5, 6]
      try Edition.where { $0.id > 3 && Condition("rating IN (\(list))") }.update(in: db) {
        $0.rating = nil
      }

      let changed = try ratings(in: db)
      #expect(changed == [90, 12, 13, 4, nil, nil, 7, 8, 9])
      let new = try Edition.where { $0.note == "new" }.fetchValues(in: db) { $0.id }
      #expect(new == [2, 3])

      let returned = try Edition.table.updateAndFetch(key: ids[8], in: db) {
        $0.rating = 1
      }
      #expect(returned == Edition(id: 9, isbn: "9", title: "Volume 9", rating: 1))

      let all = try Edition.where { $0.rating == nil }.updateAndFetch(in: db) {
        $0.rating = 0
      }
      #expect(all.map(\.id).sorted { ($0 ?? 0) < ($1 ?? 0) } == [5, 6])

      try #expect(Edition.table.update(key: ids[0], in: db) { _ in } == 1)

      let large: Int64 = 9_007_199_254_740_993
      try Edition.table.insertAll(
        [large, large + 1].map { Edition(id: $0, title: "late") }, in: db)
      let matched = try Edition.where { $0.id == large }.update(in: db) {
        $0.note = "exact"
      }
      #expect(matched == 1)
      #expect(try Edition.where { $0.note == "exact" }.fetchValues(in: db, { $0.id }) == [large])
    }
  }

  @Test(
    .behaviour("A-WC-36"), arguments: [false, true],
    [Page(), Page(offset: 1), Page(limit: 2), Page(limit: 2, offset: 1)])
  func `a condition, an order, a limit and an offset select the rows of an update`(
    isOrdered: Bool, page: Page
  ) throws {
    try Database.inMemory().write { db in
      try Lending.table.insertAll(
        (1...6).map { Lending(reader: "R\($0 % 2)", book: "B\($0)", days: $0) }, in: db)
      var query = Lending.where { $0.reader == "R1" }
      if isOrdered { query = query.order { $0.days.descending } }
      query = page.limit.map { query.limit($0, offset: page.offset) } ?? query.offset(page.offset)
      let expected = try query.fetchAll(in: db).map(\.book).sorted()

      #expect(try query.update(in: db) { $0.days = 100 } == expected.count)
      let changed = try Lending.where { $0.days == 100 }.fetchValues(in: db, { $0.book })
      #expect(changed.sorted() == expected)
      #expect(expected.count == min(3 - page.offset, page.limit ?? 3))
    }
  }
}
