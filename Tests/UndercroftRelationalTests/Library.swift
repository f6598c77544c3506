import Foundation
import UndercroftRelational
import UndercroftSQLite

enum Genre: String, ColumnValue { case novel, essay }

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
  var genre: Genre = .novel
  var note: String?
  var rating: Int = 0
  var shelf: String?

  static let table = Table(
    "book", Book.init,
    Column("id", \.id).primaryKey(),
    Column("title", \.title).indexed(),
    Column("genre", \.genre),
    Column("note", \.note),
    Column("rating", \.rating).default(0),
    Column("shelf", \.shelf).default("unsorted"))
}
