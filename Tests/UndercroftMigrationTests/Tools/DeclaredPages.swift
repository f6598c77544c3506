import UndercroftRelational
import UndercroftSQLite

/// A database whose tables, indexes and full-text tables were created by declared tables.
enum DeclaredPages {
  struct Page: TableRecord {
    var id: Int64?
    var title: String
    var section: String
    var text: String?

    static let table = Table(
      "page", Page.init, Column("id", \.id).primaryKey(), Column("title", \.title).indexed(),
      Column("section", \.section).indexed(), Column("text", \.text)
    ).indexed(\.section, \.title).fullText(\.title, \.text)
  }

  struct Detail: TableRecord {
    var id: Int64?
    var section: String
    var text: String?

    static let table = Table(
      "page_detail", Detail.init, Column("id", \.id).primaryKey(),
      Column("section", \.section).indexed(), Column("text", \.text)
    ).fullText(\.text)
  }

  static func open() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      try Page.table.insertAll(
        [
          Page(id: 1, title: "Preface", section: "intro", text: "On lending."),
          Page(id: 2, title: "Dune", section: "body", text: nil),
        ], in: db)
    }
    return database
  }
}
