import UndercroftRelational

/// An edition of a book, found by its number on the back as well as by its key.
struct Edition: TableRecord, Equatable {
  var id: Int64?
  var isbn: String?
  var title = ""
  var rating: Int?
  var note: String?
  var shelf: String? = "A"

  static let table = Table(
    "edition", Edition.init,
    Column("id", \.id).primaryKey(isAutoincrementing: true),
    Column("isbn", \.isbn).unique(),
    Column("title", \.title),
    Column("rating", \.rating),
    Column("note", \.note),
    Column("shelf", \.shelf).default("unsorted"))
}

/// What a reader has lent; kept by reader and book, without a number of its own.
struct Lending: TableRecord, Equatable {
  var reader: String
  var book: String
  var days = 14

  static let table = Table(
    "loan", Lending.init,
    Column("reader", \.reader).primaryKey(),
    Column("book", \.book).primaryKey(),
    Column("days", \.days)
  ).withoutRowID()
}

/// What refuses a record in these tests.
struct Unwelcome: Error {}

/// A part of the rows of a query.
struct Page: Sendable {
  var limit: Int?
  var offset = 0
}
