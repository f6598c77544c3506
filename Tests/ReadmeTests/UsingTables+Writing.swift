import Foundation
import Undercroft

// The code of Docs/Guides/UsingTables.md: declaring and writing.

extension UsingTables {
  enum Lending {
    struct Reader: TableRecord, Equatable {
      let id: UUID
      var name: String
      var tags: Tags
      var joined: Date

      static let table = Table(
        "reader", Reader.init,
        Column("id", \.id).primaryKey(),
        Column("name", \.name).collated("NOCASE"),
        Column("tags", \.tags),
        Column("joined", \.joined))
    }

    struct Tags: JSONColumnValue, Equatable { var names: [String] }

    struct Loan: TableRecord, Equatable {
      var readerID: UUID
      var bookID: Int64
      var day: Date
      var fee: Int = 0
      var days: Int = 0
      var total: Int? = nil

      static let table = Table(
        "loan", Loan.init,
        Column("reader_id", \.readerID).primaryKey().references(Reader.self, onDelete: .cascade),
        Column("book_id", \.bookID).primaryKey(),  // both together
        Column("day", \.day),
        Column("fee", \.fee).default(0),
        Column("days", \.days).default(0),
        Column("total", \.total).generated(as: "fee * days")
      )
      .indexed(\.day, where: "fee > 0")
      .check("fee >= 0")
      .strict()
    }
  }

  struct ISBN: RawRepresentable, ColumnValue, Hashable {
    var rawValue: String
  }

  struct Edition: TableRecord, Equatable {
    var isbn: ISBN
    var title: String

    static let table = Table(
      "edition", Edition.init,
      Column("isbn", \.isbn).primaryKey(),
      Column("title", \.title))
  }

  static func findEdition(_ database: Database) throws -> Edition? {
    try database.write { db in
      try Edition(isbn: ISBN(rawValue: "978-1"), title: "Emma").insert(in: db)
      let isbn = ISBN(rawValue: "978-1")
      let edition = try Edition.find(isbn, in: db)
      let titles = try Edition.where { $0.isbn == isbn }.fetchValues(in: db) { $0.title }
      return titles == ["Emma"] ? edition : nil
    }
  }

  struct Review: TableRecord, Equatable {
    var id: Int64?
    var isbn: String?
    var text: String
    var stars: Int = 3

    static let table = Table(
      "review", Review.init,
      Column("id", \.id).primaryKey(),
      Column("isbn", \.isbn).unique(),
      Column("text", \.text),
      Column("stars", \.stars).default(3)
    )
    .checking { review in
      guard !review.text.isEmpty else { throw NoText() }
    }
  }

  struct NoText: Error {}

  static func upsert(_ database: Database) throws -> [Review] {
    try database.write { db in
      try Review(id: 7, text: "Late").insert(in: db)
      try Review(id: 7, isbn: "2", text: "Long").upsert(on: \.isbn, in: db)  // by the key 7
      try Review(isbn: "2", text: "Longer").upsert(on: \.isbn, in: db)  // by the ISBN: row 7
      try Review(id: 8, isbn: "2", text: "Longest").upsert(on: \.isbn, in: db)  // row 7
      return try Review.fetchAll(in: db)
    }
  }

  static func write(_ database: Database) throws -> [Review] {
    try database.write { db in
      let kept = try Review(isbn: "1", text: "Good").insertAndFetch(in: db)  // with its id
      let id = try Review(text: "Long").insert(returning: \.id, in: db)  // Int64
      try Review(text: "Short").insert(in: db)  // writes only
      try Review.insertAll([Review(text: "Dull"), Review(text: "Fine")], in: db)
      try Review(isbn: "1", text: "Again").insert(onConflict: .ignore, in: db)  // 0
      try Review(isbn: "1", text: "Other").fetchOrInsert(on: \.isbn, in: db)  // the stored one

      try Review(id: 7, text: "Late").upsert(in: db)  // by the key
      try Review(isbn: "1", text: "Great", stars: 5).upsert(on: \.isbn, in: db)
      try Review(isbn: "1", text: "Great", stars: 1).upsert(on: \.isbn, in: db) {
        $0.stars = ($0.stars + $1.stars) / 2  // $1 is the new record
      }

      var review = kept
      review.stars = 4
      try review.update(in: db)  // 0 where no row has its key
      try review.update(only: \.stars, in: db)
      try Review.update(key: 7, in: db) { $0.stars += 1 }
      try Review.where { $0.stars < 2 }.update(in: db) { $0.stars = 2 }

      try review.delete(in: db)
      try Review.delete(keys: [id, 99], in: db)  // 1: of 99 there is none
      try Review.where { $0.text.hasPrefix("F") }.delete(in: db)
      return try Review.fetchAll(in: db)
    }
  }

  static func importAll(_ reviews: [Review], into database: Database) throws -> [Int] {
    try database.write { db in
      let rejected = try Review.insertEach(reviews, in: db)  // the others are stored
      return rejected.map(\.index)
    }
  }

  static func tellWhy(_ reviews: [Review], in database: Database) -> String {
    do {
      try database.write { db in try Review.insertAll(reviews, in: db) }
      return "stored"
    } catch let error as BatchElementError {
      let rejected = error.underlying as? RecordRejectedError<Review>  // by a check
      return "\(error.index): \(rejected?.record.isbn ?? "\(error.underlying)")"
    } catch {
      return "\(error)"
    }
  }

  static func importISBN(_ reviews: [Review], into database: Database) throws -> String {
    do {
      try database.write { db in try Review.insertAll(reviews, in: db) }
      return "stored"
    } catch let error as BatchElementError where error.constraint == .unique(columns: ["isbn"]) {
      return "review \(error.index) has the ISBN of another review"
    }
  }
}
