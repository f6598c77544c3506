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
      let kept = try Edition.table.insert(Card(title: "Dune"), in: db)
      #expect(kept == Edition(id: 1, title: "Dune", shelf: "unsorted"))

      var card = Card(title: "Emma")
      let second = try Edition.table.insert(&card, in: db) { $0.rating = 4 }
      #expect(second == Edition(id: 2, title: "Emma", rating: 4, shelf: "unsorted"))
      #expect(card.id == 2)
      #expect(card.shelf == "unsorted")

      let third = try Edition.table.insert(Card(title: "Ulysses"), setting: \.isbn, to: "3", in: db)
      #expect(third.isbn == "3")

      let more = try Edition.table.insert(contentsOf: [Card(title: "a"), Card(title: "b")], in: db)
      #expect(more.map(\.id) == [4, 5])
    }
  }

  @Test(.behaviour("A-WC-32"))
  func `inserting a virtual record without a value for a required column throws`() throws {
    try Database.inMemory().write { db in
      let error = #expect(throws: StorageError.self) {
        try Edition.table.insert(Card(title: nil), in: db)
      }
      #expect(error?.code == .constraintViolated)
      #expect(error?.message.contains("\"title\" requires a value") == true)

      let failed = #expect(throws: BatchElementError.self) {
        try Edition.table.insert(contentsOf: [Card(title: "a"), Card(title: nil)], in: db)
      }
      #expect(failed?.index == 1)

      let misuse = #expect(throws: StorageError.self) { try Edition.table.insert(Odd(), in: db) }
      #expect(misuse?.message.contains("no column \"colour\"") == true)
      try #expect(Edition.fetchCount(in: db) == 0)

      // The default of the column replaces NULL.
      let book: ColumnValues = ["title": .text("a"), "genre": .text("essay"), "rating": .null]
      try #expect(Book.table.insert(book, in: db).rating == 0)
    }
  }

  @Test func `updating with a virtual record leaves columns that it does not name unchanged`()
    throws
  {
    try Database.inMemory().write { db in
      let full = Edition(isbn: "1", title: "Dune", rating: 5, note: "lent", shelf: "C")
      let kept = try Edition.table.insert(full, in: db)
      var expected = kept
      (expected.title, expected.shelf) = ("Emma", "unsorted")

      #expect(try Edition.table.update(Card(id: 1, title: "Emma"), in: db) == expected)

      var card = Card(id: 1, title: "Persuasion", shelf: nil)
      expected.title = "Persuasion"
      #expect(try Edition.table.update(&card, in: db) == expected)
      #expect(card.shelf == "unsorted")

      #expect(try Edition.table.update(Card(id: 9, title: "Emma"), in: db) == nil)
      #expect(throws: StorageError.self) { try Edition.table.update(Card(title: "Emma"), in: db) }

      #expect(try Edition.table.delete(Card(id: 9), in: db) == false)
      #expect(try Edition.table.delete(Card(id: 1), in: db))
      #expect(try Edition.fetchCount(in: db) == 0)
    }
  }

  @Test(.behaviour("A-CT-S03"))
  func `upserting a virtual record updates the row with the same unique value or key`() throws {
    try Database.inMemory().write { db in
      try Edition.table.upsert(
        Card(title: "Dune", shelf: "C"), on: \.isbn, setting: \.isbn, to: "1", in: db)

      let partial: ColumnValues = ["isbn": .text("1"), "rating": .integer(5)]
      let kept = try Edition.table.upsert(partial, on: \.isbn, in: db)
      #expect(kept == Edition(id: 1, isbn: "1", title: "Dune", rating: 5, shelf: "C"))

      let keeping = try Edition.table.upsert(
        Card(title: nil), on: \.isbn, overwritingWithNil: false, in: db
      ) {
        $0.isbn = "1"; $0.note = "lent"
      }
      #expect(
        keeping == Edition(id: 1, isbn: "1", title: "Dune", rating: 5, note: "lent", shelf: "C"))

      var card = Card(id: 1, title: "Emma")
      try Edition.table.upsert(&card, in: db)
      #expect(card.shelf == "unsorted")

      #expect(throws: StorageError.self) {
        try Edition.table.upsert(["isbn": .text("2")] as ColumnValues, on: \.isbn, in: db)
      }
      #expect(throws: StorageError.self) {
        try Edition.table.upsert(["title": .text("a")] as ColumnValues, on: \.isbn, in: db)
      }
      #expect(try Edition.fetchCount(in: db) == 1)
    }
  }

  @Test @MainActor
  func `writing a virtual record isolated to the main actor updates it with the stored values`()
    throws
  {
    let database = try Database.inMemory()
    var screen = EditionScreen(title: "Dune")

    try database.write { db in
      try Edition.table.insert(&screen, in: db)
      screen.title = "Emma"
      try Edition.table.update(screen, in: db)
      try Edition.table.upsert(&screen, in: db)
    }

    #expect(screen.id == 1)
    #expect(screen.shelf == "unsorted")
    #expect(try database.read { db in try Edition.fetchAll(in: db) }.map(\.title) == ["Emma"])
    #expect(try database.write { db in try Edition.table.delete(screen, in: db) })
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
