import Testing
import UndercroftRelational
import UndercroftSQLite

/// A scenario in which one object contains columns of two tables: the card of a book contains the
/// title and the name of the author.
///
/// The object is written and read in one transaction, and the tables are independent of each other.
@Suite struct OneObjectFromSeveralTablesScenario {
  struct Writer: TableRecord, Equatable {
    var id: Int64?
    var name: String

    static let table = Table(
      "writer", Writer.init, Column("id", \.id).primaryKey(), Column("name", \.name).unique())
  }

  struct Work: TableRecord, Equatable {
    var id: Int64?
    var title: String
    var writerID: Int64

    static let table = Table(
      "work", Work.init, Column("id", \.id).primaryKey(), Column("title", \.title),
      Column("writer_id", \.writerID).references(Writer.self))
  }

  final class WorkCard: MappedRecord {
    var workID: Int64?
    var title = ""
    var writer = ""

    // Both tables have a column `id`. The mapping assigns each property to a column of one table.
    static var mapping: RecordMapping<WorkCard> {
      RecordMapping(
        .part(of: Work.table, MappedField(\.workID, as: \.id), MappedField(\.title, as: \.title)),
        .part(of: Writer.table, MappedField(\.writer, as: \.name)))
    }
  }

  struct Catalogue: DataCenter {
    let database: Database
    static let tables: Tables = [Writer.self, Work.self]

    func shelve(_ card: WorkCard) throws {
      try write { db in
        var card = card
        let writerID = try Writer.upsert(from: card, on: \.name, returning: \.id, in: db)
        try Work.upsert(from: &card, in: db) { $0.writerID = writerID }
      }
    }

    func card(of workID: Int64) throws -> WorkCard? {
      try read { db in
        guard let work = try Work.find(workID, in: db) else { return nil }
        let card = WorkCard()
        try card.assign(from: Work.table, key: workID, in: db)
        try card.assign(from: Writer.table, key: work.writerID, in: db)
        return card
      }
    }
  }

  @Test func `an object is written to and read from two tables`() throws {
    let catalogue = Catalogue(database: try .inMemory())
    for title in ["Emma", "Persuasion"] {
      let card = WorkCard()
      (card.title, card.writer) = (title, "Austen")
      try catalogue.shelve(card)
      #expect(card.workID != nil)
    }

    let card = try #require(try catalogue.card(of: 2))
    #expect(card.title == "Persuasion" && card.writer == "Austen")
    #expect(try catalogue.card(of: 3) == nil)

    try catalogue.read { db in
      #expect(try Writer.fetchCount(in: db) == 1)
      let works = try Work.order { $0.id }.fetchAll(in: db)
      #expect(works.map(\.writerID) == [1, 1])
    }

    // Changing the object does not change the database until it is saved.
    card.title = "Emma, revised"
    #expect(try catalogue.card(of: 2)?.title == "Persuasion")

    try catalogue.shelve(card)
    #expect(try catalogue.card(of: 2)?.title == "Emma, revised")
    #expect(try catalogue.read { db in try Work.fetchCount(in: db) } == 2)
  }
}
