import Testing
import UndercroftRelational
import UndercroftSQLite

/// A table with 24 columns, about the maximum in an application.
///
/// The compiler must type-check its declaration in less than one second.
struct Wide: TableRecord, Equatable {
  var id: Int64?
  var isbn: String
  var title: String
  var subtitle: String?
  var author: String
  var genre: Genre
  var language: String
  var publisher: String?
  var year: Int
  var pages: Int
  var price: Double
  var weight: Double?
  var isLent: Bool
  var isLost: Bool
  var shelf: String?
  var place: Int?
  var note: String?
  var rating: Int
  var votes: Int
  var series: String?
  var volume: Int?
  var cover: [UInt8].Index?
  var bought: Double
  var sold: Double?

  static let table = Table(
    "wide", Wide.init,
    Column("id", \.id).primaryKey(),
    Column("isbn", \.isbn).unique(),
    Column("title", \.title).indexed(),
    Column("subtitle", \.subtitle),
    Column("author", \.author).collated("NOCASE"),
    Column("genre", \.genre).default(.novel),
    Column("language", \.language).default("en"),
    Column("publisher", \.publisher),
    Column("year", \.year).check("year > 1400"),
    Column("pages", \.pages).default(0),
    Column("price", \.price).default(0),
    Column("weight", \.weight),
    Column("is_lent", \.isLent).default(false),
    Column("is_lost", \.isLost).default(false),
    Column("shelf", \.shelf),
    Column("place", \.place),
    Column("note", \.note),
    Column("rating", \.rating).default(0).check("rating BETWEEN 0 AND 5"),
    Column("votes", \.votes).default(0),
    Column("series", \.series),
    Column("volume", \.volume),
    Column("cover", \.cover),
    Column("bought", \.bought),
    Column("sold", \.sold)
  )
  .unique(\.shelf, \.place)
  .indexed(\.series, \.volume, where: "series IS NOT NULL")
  .check("bought < sold")
  .fullText(\.title, \.subtitle, \.note)
}

@Suite struct WideTableTests {
  @Test func `a table with 24 columns stores and returns all values of a record`() throws {
    let book = Wide(
      id: 4, isbn: "1", title: "Dune", subtitle: nil, author: "Herbert", genre: .novel,
      language: "en", publisher: "Chilton", year: 1965, pages: 412, price: 5.95, weight: 0.5,
      isLent: true, isLost: false, shelf: "A", place: 3, note: "first edition", rating: 5,
      votes: 9, series: "Dune", volume: 1, cover: nil, bought: 1.5, sold: nil)

    let database = try Database.inMemory()
    let stored = try database.write { db in try Wide.table.insertAndFetch(book, in: db) }

    #expect(stored == book)
    #expect(try database.read { db in try Wide.find(4 as Int64, in: db) } == book)
  }
}
