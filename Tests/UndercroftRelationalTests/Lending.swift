import UndercroftRelational

/// An edition of a book, identified by its ISBN as well as by its key.
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

/// A book that a reader has borrowed.
///
/// Its primary key is the pair of reader and book.
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

/// The error that checks in these tests throw.
struct Unwelcome: Error {}

/// The limit and offset of a query.
struct Page: Sendable {
  var limit: Int?
  var offset = 0
}
