import Undercroft

// The second code of README.md.

enum SecondExample {
  struct Author: TableRecord {
    var id: Int64?
    var name: String

    static let table = Table(
      "author", Author.init,
      Column("id", \.id).primaryKey(),
      Column("name", \.name).unique())
  }

  struct Book: TableRecord {
    var id: Int64?
    var title: String
    var authorID: Int64
    var rating = 0

    static let table = Table(
      "book", Book.init,
      Column("id", \.id).primaryKey(),
      Column("title", \.title).indexed(),
      Column("author_id", \.authorID).references(Author.self),
      Column("rating", \.rating).default(0)
    ).fullText(\.title)
  }

  struct Library: DataCenter {  // what the screens of an application call
    let database: Database
    static let tables: Tables = [Author.self, Book.self]

    func add(_ title: String, by name: String) throws {
      try write { db in  // one verb, one transaction
        let id = try Author(name: name).upsert(on: \.name, returning: \.id, in: db)
        try Book(title: title, authorID: id).insert(in: db)
      }
    }

    func search(_ typed: String, rated least: Int) throws -> [Book] {
      try read { db in
        try Book.search(FullTextQuery(matchingAll: typed, lastIsPrefix: true))
          .where { $0.rating >= least }.limit(20).fetchAll(in: db)
      }
    }
  }
}
