import Foundation
import Undercroft

// The code of Docs/Guides/VirtualRecordsAndDataCenters.md: several tables, several databases.

extension VirtualRecords {
  struct Author: TableRecord, Equatable {
    var id: Int64?
    var name: String

    static let table = Table(
      "author", Author.init,
      Column("id", \.id).primaryKey(),
      Column("name", \.name).unique())
  }

  struct Book: TableRecord, Equatable {
    var id: Int64?
    var title: String
    var authorID: Int64

    static let table = Table(
      "book", Book.init,
      Column("id", \.id).primaryKey(),
      Column("title", \.title),
      Column("author_id", \.authorID).references(Author.self))
  }

  struct BookCard: MappedRecord, Equatable {
    var bookID: Int64?
    var title = ""
    var author = ""

    static var mapping: RecordMapping<BookCard> {
      RecordMapping(
        .part(of: Book.table, MappedField(\.bookID, as: \.id), MappedField(\.title, as: \.title)),
        .part(of: Author.table, MappedField(\.author, as: \.name)))
    }
  }

  struct Catalogue: DataCenter {
    let database: Database
    static let tables: Tables = [Author.self, Book.self]

    func shelve(_ card: BookCard) throws -> BookCard {
      try write { db in
        var card = card
        let authorID = try Author.upsert(from: card, on: \.name, returning: \.id, in: db)
        try Book.upsert(from: &card, in: db) { $0.authorID = authorID }
        return card
      }
    }

    func card(of id: Int64) throws -> BookCard? {
      try read { db in
        guard let book = try Book.find(id, in: db) else { return nil }
        var card = BookCard()
        try card.assign(from: Book.table, key: id, in: db)
        try card.assign(from: Author.table, key: book.authorID, in: db)
        return card
      }
    }
  }

  struct Rental: TableRecord {
    var id: Int64?
    var title: String
    var price: Int
    var deposit: Int

    static let table = Table(
      "rental", Rental.init,
      Column("id", \.id).primaryKey(),
      Column("title", \.title),
      Column("price", \.price),
      Column("deposit", \.deposit))
  }

  struct NewFlat: TableRecord {
    var id: Int64?
    var title: String
    var price: Int
    var finished: Int

    static let table = Table(
      "new_flat", NewFlat.init,
      Column("id", \.id).primaryKey(),
      Column("title", \.title),
      Column("price", \.price),
      Column("finished", \.finished))
  }

  nonisolated struct Offer: Equatable {
    var title: String
    var price: Int
    var kind: String

    static let all = TableUnion(
      Table(
        "offer", Offer.init,
        Column("title", \.title),
        Column("price", \.price),
        Column("kind", \.kind)),
      of: Rental.table, NewFlat.table, origin: "kind")
  }

  static func offers(_ database: Database) throws -> [Offer] {
    try database.read { db in
      try Offer.all.where { $0.price < 2000 }.order { $0.price }.limit(20).fetchAll(in: db)
    }
  }

  struct Teaser: Codable, VirtualRecord, Equatable {
    var title = ""
    var price = 0
  }

  static func teasers(_ database: Database) throws -> [Teaser] {
    try database.read { db in
      let rentals = try Rental.fetchAll(filling: { Teaser() }, in: db)
      let flats = try NewFlat.where { $0.finished > 2000 }
        .fetchAll(filling: { Teaser() }, in: db)
      return rentals + flats
    }
  }

  struct Visit: TableRecord, Equatable {
    var id: Int64?
    var reader: String

    static let table = Table(
      "visit", Visit.init,
      Column("id", \.id).primaryKey(),
      Column("reader", \.reader).indexed())
    static let partitioned = table.partitioned(into: 4)  // visit_0 to visit_3
  }

  static func partition(_ database: Database) throws -> [String] {
    try database.write { db in
      let visit = try Visit.partitioned.insertAndFetch(Visit(reader: "Ada"), in: db)
      try Visit.partitioned.insertAll([Visit(reader: "Bo"), Visit(reader: "Cy")], in: db)
      try Visit.partitioned.delete(visit, in: db)
      return try Visit.partitioned.order { $0.reader }.fetchAll(in: db).map(\.reader)
    }
  }

  static func spread(_ database: Database) throws -> [Int] {
    try database.write { db in
      try db.redistribute("visit", key: "id", from: 4, to: 6)
      return try (0..<6).map { place in
        try db.fetchValue("SELECT count(*) FROM \(identifier: "visit_\(place)")", as: Int.self)
      }
    }
  }

  struct ReaderBase: TableRecord {
    var id: Int64?
    var name: String

    static let table = Table(
      "reader", ReaderBase.init,
      Column("id", \.id).primaryKey(),
      Column("name", \.name))
  }

  struct ReaderDetail: TableRecord {
    var readerID: Int64
    var biography: String?

    static let table = Table(
      "reader_detail", ReaderDetail.init,
      Column("reader_id", \.readerID).primaryKey().references(ReaderBase.self, onDelete: .cascade),
      Column("biography", \.biography))
  }

  nonisolated struct Reader: Equatable {
    var id: Int64?
    var name: String
    var biography: String?

    static let split = VerticalSplit(
      Table(
        "reader_whole", Reader.init,
        Column("id", \.id).primaryKey(),
        Column("name", \.name),
        Column("biography", \.biography)),
      of: ReaderBase.table, ReaderDetail.table)
  }

  static func splitVertically(_ database: Database) throws -> [Reader] {
    try database.write { db in
      var ada = try Reader.split.insertAndFetch(Reader(name: "Ada", biography: "wrote"), in: db)
      ada.biography = "wrote much"
      try Reader.split.update(ada, in: db)
      return try Reader.split.where { $0.biography == "wrote much" }.fetchAll(in: db)
    }
  }

  struct Loan: TableRecord, Equatable {
    var id: Int64?
    var bookID: Int64
    var reader: String

    static let table = Table(
      "loan", Loan.init,
      Column("id", \.id).primaryKey(),
      Column("book_id", \.bookID),
      Column("reader", \.reader))
  }

  struct Desk: DataCenter {
    enum Refusal: Error { case unknownBook, lentAlready }

    let database: Database
    let archive: Database
    static let tables: Tables = [Author.self, Book.self, Loan.self]

    func lend(_ bookID: Int64, to reader: String) throws -> Loan {
      try write { db in
        guard try Book.find(bookID, in: db) != nil else { throw Refusal.unknownBook }
        let isLent = try Loan.where { $0.bookID == bookID }.exists(in: db)
        if isLent { throw Refusal.lentAlready }
        return try Loan(bookID: bookID, reader: reader).insertAndFetch(in: db)
      }
    }

    func takeBack(_ loan: Loan) throws {
      try database.write(with: archive) { db, archive in
        try loan.upsert(in: archive)  // may be there already, after a crash
        try loan.delete(in: db)
      }
    }
  }

  struct Archive: DataCenter {
    let database: Database
    static let loans = Loan.table.named("archived_loan")
    static let tables: Tables = [Loan.self]
    static let definitions = [Loan.table.definition, loans.definition]
  }

  static func move(from old: Database, to new: Database) throws {
    let authors = try old.read { db in try Author.fetchAll(in: db) }
    try new.write { db in try Author.insertAll(authors, in: db) }
  }
}
