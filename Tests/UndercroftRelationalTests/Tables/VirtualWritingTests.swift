import BehaviourTrait
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct VirtualWritingTests {
  /// A virtual record with some columns of an edition, as a screen would show it.
  private struct Card: VirtualRecord {
    var id: Int64?
    var title: String?
    var shelf: String?

    func columnValues() throws -> ColumnValues {
      var values = ColumnValues()
      try values.set("id", to: id)
      try values.set("title", to: title)
      try values.set("shelf", to: shelf)
      return values
    }

    mutating func assign(_ values: ColumnValues) throws {
      if case .integer(let id) = values["id"] { self.id = id }
      if case .text(let title) = values["title"] { self.title = title }
      if case .text(let shelf) = values["shelf"] { self.shelf = shelf }
    }
  }

  /// A virtual record with a column that the table does not have.
  private struct Odd: VirtualRecord {
    func columnValues() -> ColumnValues { ["title": .text("a"), "colour": .text("red")] }
    func values(for table: TableDefinition) -> ColumnValues { columnValues() }
    func assign(_ values: ColumnValues) {}
  }

  @Test(.behaviour("A-WC-31"))
  func `inserting a virtual record stores its columns and returns the stored record`() throws {
    try Database.inMemory().write { db in
      let stored = try Edition.table.insertAndFetch(from: Card(title: "Dune"), in: db)
      #expect(stored == Edition(id: 1, title: "Dune", shelf: "unsorted"))

      var card = Card(title: "Emma")
      try Edition.table.insert(from: &card, in: db) { $0.rating = 4 }
      try #expect(
        Edition.find(2 as Int64, in: db)
          == Edition(id: 2, title: "Emma", rating: 4, shelf: "unsorted"))
      #expect(card.id == 2)
      #expect(card.shelf == "unsorted")

      let third = try Edition.table.insertAndFetch(from: Card(title: "Ulysses"), in: db) {
        $0.isbn = "3"
      }
      #expect(third.isbn == "3")

      let cards = [Card(title: "a"), Card(title: "b")]
      let more = try Edition.table.insertAllAndFetch(from: cards, in: db)
      #expect(more.map(\.id) == [4, 5])

      try Edition.table.insertAll(from: cards, in: db) { $0.note = "new" }
      try #expect(Edition.where { $0.note == "new" }.fetchKeys(in: db) == [6, 7])
      let id = try Edition.table.insert(from: Card(title: "c"), returning: \.id, in: db)
      #expect(id == 8)
    }
  }

  @Test(.behaviour("A-WC-32"))
  func `inserting a virtual record without a value for a required column throws`() throws {
    try Database.inMemory().write { db in
      let error = #expect(throws: StorageError.self) {
        try Edition.table.insert(from: Card(title: nil), in: db)
      }
      #expect(error?.code == .constraintViolated)
      #expect(error?.message.contains("\"title\" is NOT NULL") == true)

      let failed = #expect(throws: BatchElementError.self) {
        try Edition.table.insertAll(from: [Card(title: "a"), Card(title: nil)], in: db)
      }
      #expect(failed?.index == 1)

      let misuse = #expect(throws: StorageError.self) {
        try Edition.table.insertAndFetch(from: Odd(), in: db)
      }
      #expect(misuse?.message.contains("no column \"colour\"") == true)
      try #expect(Edition.fetchCount(in: db) == 0)

      // The default of the column replaces NULL.
      let book: ColumnValues = ["title": .text("a"), "genre": .text("essay"), "rating": .null]
      try #expect(Book.table.insertAndFetch(from: book, in: db).rating == 0)
    }
  }

  @Test func `updating with a virtual record does not change the columns that the record lacks`()
    throws
  {
    try Database.inMemory().write { db in
      let full = Edition(isbn: "1", title: "Dune", rating: 5, note: "lent", shelf: "C")
      let stored = try Edition.table.insertAndFetch(full, in: db)
      var expected = stored
      (expected.title, expected.shelf) = ("Emma", "unsorted")

      try #expect(
        Edition.table.updateAndFetch(from: Card(id: 1, title: "Emma"), in: db) == expected)

      var card = Card(id: 1, title: "Persuasion", shelf: nil)
      expected.title = "Persuasion"
      try #expect(Edition.table.update(from: &card, in: db) == 1)
      try #expect(Edition.fetchAll(in: db) == [expected])
      #expect(card.shelf == "unsorted")

      let missing = Card(id: 9, title: "Emma")
      try #expect(Edition.table.updateAndFetch(from: missing, in: db) == nil)
      try #expect(Edition.table.update(from: missing, in: db) == 0)
      #expect(throws: StorageError.self) {
        try Edition.table.update(from: Card(title: "Emma"), in: db)
      }

      try #expect(Edition.table.delete(from: Card(id: 9), in: db) == 0)
      try #expect(Edition.table.delete(from: Card(id: 1), in: db) == 1)
      try #expect(Edition.fetchCount(in: db) == 0)
    }
  }

  @Test(.behaviour("A-CT-S03"))
  func `upserting a virtual record updates the row with the same unique value or key`() throws {
    try Database.inMemory().write { db in
      try Edition.table.upsert(from: Card(title: "Dune", shelf: "C"), on: \.isbn, in: db) {
        $0.isbn = "1"
      }

      let partial: ColumnValues = ["isbn": .text("1"), "rating": .integer(5)]
      let stored = try Edition.table.upsertAndFetch(from: partial, on: \.isbn, in: db)
      #expect(stored == Edition(id: 1, isbn: "1", title: "Dune", rating: 5, shelf: "C"))

      let keeping = try Edition.table.upsertAndFetch(
        from: Card(title: nil), on: \.isbn, overwritingWithNil: false, in: db
      ) {
        $0.isbn = "1"
        $0.note = "lent"
      }
      #expect(
        keeping == Edition(id: 1, isbn: "1", title: "Dune", rating: 5, note: "lent", shelf: "C"))

      var card = Card(id: 1, title: "Emma")
      try Edition.table.upsert(from: &card, in: db)
      #expect(card.shelf == "unsorted")

      #expect(throws: StorageError.self) {
        try Edition.table.upsert(from: ["isbn": .text("2")] as ColumnValues, on: \.isbn, in: db)
      }
      #expect(throws: StorageError.self) {
        try Edition.table.upsert(from: ["title": .text("a")] as ColumnValues, on: \.isbn, in: db)
      }
      #expect(try Edition.fetchCount(in: db) == 1)
    }
  }

  @Test @MainActor
  func `writing a main-actor virtual record assigns the stored values to the record's properties`()
    throws
  {
    let database = try Database.inMemory()
    var screen = EditionScreen(title: "Dune")

    try database.write { db in
      try Edition.table.insert(from: &screen, in: db)
      screen.title = "Emma"
      try Edition.table.update(from: screen, in: db)
      try Edition.table.upsert(from: &screen, in: db)
    }

    #expect(screen.id == 1)
    #expect(screen.shelf == "unsorted")
    #expect(try database.read { db in try Edition.fetchAll(in: db) }.map(\.title) == ["Emma"])
    try #expect(database.write { db in try Edition.table.delete(from: screen, in: db) } == 1)
  }
}

@MainActor private final class EditionScreen {
  var id: Int64?
  var title: String
  var shelf: String?

  init(title: String) { self.title = title }
}

extension EditionScreen: @MainActor VirtualRecord {
  func columnValues() throws -> ColumnValues {
    var values: ColumnValues = ["title": .text(title)]
    try values.set("id", to: id)
    return values
  }

  func assign(_ values: ColumnValues) throws {
    if case .integer(let id) = values["id"] { self.id = id }
    if case .text(let shelf) = values["shelf"] { self.shelf = shelf }
  }
}
