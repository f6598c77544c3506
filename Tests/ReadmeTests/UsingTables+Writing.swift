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

  static func write(_ database: Database) throws -> [Review] {
    try database.write { db in
      let kept = try Review.table.insert(Review(isbn: "1", text: "Good"), in: db)  // with its id
      try Review.table.insert(contentsOf: [Review(text: "Dull"), Review(text: "Fine")], in: db)
      try Review.table.insert(Review(isbn: "1", text: "Again"), onConflict: .ignore, in: db)  // nil

      try Review.table.upsert(Review(id: 7, text: "Late"), in: db)  // by the key
      try Review.table.upsert(Review(isbn: "1", text: "Great", stars: 5), on: \.isbn, in: db)

      var review = kept
      review.stars = 4
      try Review.table.update(review, in: db)  // false where no row has its key
      try Review.table.update(review, only: \.stars, in: db)
      try Review.table.update(7, in: db) { $0.stars += 1 }
      try Review.where { $0.stars < 2 }.update(in: db) { $0.stars = 2 }

      try Review.table.delete(review, in: db)
      try Review.table.delete(keys: [2, 99], in: db)  // 1: of 99 there is none
      try Review.where { $0.text.hasPrefix("F") }.delete(in: db)
      return try Review.fetchAll(in: db)
    }
  }

  static func importAll(_ reviews: [Review], into database: Database) throws -> [Int] {
    try database.write { db in
      let refused = try Review.table.insert(eachOf: reviews, in: db)  // the others are kept
      return refused.map(\.index)
    }
  }

  static func tellWhy(_ reviews: [Review], in database: Database) -> String {
    do {
      try database.write { db in try Review.table.insert(contentsOf: reviews, in: db) }
      return "kept"
    } catch let error as BatchElementError {
      let refused = error.underlying as? RecordRejectedError<Review>  // a check, and not the schema
      return "\(error.index): \(refused?.record.isbn ?? "\(error.underlying)")"
    } catch {
      return "\(error)"
    }
  }
}
