import UndercroftRelational
import UndercroftSQLite

/// A book with required and optional columns of several types, for tests of conditions and queries.
struct Volume: TableRecord, Equatable {
  var id: Int64?
  var title: String
  var pages: Int?
  var rating: Int
  var price: Double?
  var note: String?
  var authorID: Int64?
  var isLent: Bool = false

  static let table = Table(
    "volume", Volume.init,
    Column("id", \.id).primaryKey(),
    Column("title", \.title).indexed(),
    Column("pages", \.pages),
    Column("rating", \.rating),
    Column("price", \.price),
    Column("note", \.note),
    Column("author_id", \.authorID),
    Column("is_lent", \.isLent))

  /// Five volumes that all differ.
  static let shelf = [
    Volume(id: 1, title: "Dune", pages: 600, rating: 5, price: 9.5, note: "lent", authorID: 1),
    Volume(id: 2, title: "Emma", pages: 400, rating: 4, price: nil, note: nil, authorID: 2),
    Volume(id: 3, title: "emma_2", pages: nil, rating: 4, price: 5, note: "50% off", authorID: 2),
    Volume(id: 4, title: "Ulysses", pages: 900, rating: 2, price: 12, note: "", authorID: nil),
    Volume(
      id: 5, title: "Walden", pages: 250, rating: 3, price: 7, note: "lent", authorID: 9,
      isLent: true),
  ]

  /// Creates an in-memory database that contains these volumes.
  static func library(_ volumes: [Volume] = shelf) throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in try Volume.table.insertAll(volumes, in: db) }
    return database
  }
}

extension Database {
  /// Returns the keys of the volumes that satisfy a condition.
  func keys(_ condition: (Columns<Volume>) -> Condition) throws -> [Int64] {
    try read { db in
      try Volume.where(condition).order { $0.id }.fetchKeys(in: db)
    }
  }
}
