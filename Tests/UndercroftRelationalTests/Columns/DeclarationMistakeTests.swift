import Foundation
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

/// Tests of mistakes in declarations and virtual records that the compiler cannot detect.
@Suite struct DeclarationMistakeTests {
  struct Reader: TableRecord, Equatable {
    var id: Int64?
    var first: String
    var last: String

    // The two text columns are in the wrong order.
    static let table = Table(
      "reader", Reader.init,
      Column("id", \.id).primaryKey(), Column("last", \.last), Column("first", \.first))

    static let twice = Table(
      "reader", Reader.init,
      Column("id", \.id).primaryKey(), Column("first", \.first), Column("last", \.first))
  }

  @Test
  func `the first insert throws if two String columns are not in the record initializer's order`()
    throws
  {
    let database = try Database.inMemory()

    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        try Reader.table.insert(Reader(first: "Ada", last: "Lovelace"), in: db)
      }
    }

    #expect(error?.message.contains("properties of the columns \"last\" and \"first\"") == true)
    let count = try database.read { db in try Reader.fetchCount(in: db) }
    #expect(count == 0)
  }

  /// The table has no record with different names before the second one.
  private static let readers = [
    Reader(first: "Ada", last: "Ada"), Reader(first: "Ada", last: "Lovelace"),
  ]

  // Each test has a table of its own, because only the first records of a table are checked.
  private static let (batch, sequence, replacing) = (
    Reader.table.named("batch"), Reader.table.named("sequence"), Reader.table.named("replacing")
  )

  @Test(arguments: ["batch", "sequence", "replacing"])
  func `a batch insert throws if two String columns are not in the record initializer's order`(
    name: String
  ) throws {
    let database = try Database.inMemory()
    let (readers, batch) = (Self.readers, Self.batch)
    let (sequence, replacing) = (Self.sequence, Self.replacing)

    let error = #expect(throws: BatchElementError.self) {
      try database.write { db in
        switch name {
        case "batch": try batch.insertAll(readers, in: db)
        case "sequence": try sequence.insertAll(readers.lazy.map { $0 }, in: db)
        default: try replacing.insertAll(readers, onConflict: .replace, in: db)
        }
      }
    }

    #expect(error?.index == 1)
    let cause = error?.underlying as? StorageError
    #expect(cause?.message.contains("properties of the columns \"last\" and \"first\"") == true)
    let count = try database.read { db in
      try [batch, sequence, replacing].map { try $0.fetchCount(in: db) }
    }
    #expect(count == [0, 0, 0])
  }

  @Test func `declaring two columns for the same property throws`() throws {
    let database = try Database.inMemory()

    let error = #expect(throws: StorageError.self) {
      try database.read { db in try Reader.twice.fetchAll(in: db) }

    }
    #expect(error?.message.contains("same property") == true)
  }

  struct Badge: Codable, VirtualRecord {
    var id: Int64?
    var colour: String
  }

  @Test func `an update throws if the virtual record has no column of the table except the key`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      let author = try Author.table.insertAndFetch(Author(name: "Austen"), in: db)
      let error = #expect(throws: StorageError.self) {
        try Author.table.update(from: Badge(id: author.id, colour: "red"), in: db)
      }
      #expect(error?.message.contains("no value for a column outside the primary key") == true)
    }
  }

  @Test
  func `if the row exists, upsertAndFetch changes only the given columns`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      let dune = try Book.table.insertAndFetch(Book(title: "Dune", note: "lent", rating: 4), in: db)
      let again = Book(id: dune.id, title: "Dune Messiah")

      let stored = try Book.table.upsertAndFetch(again, only: \.title, in: db)

      #expect(stored.title == "Dune Messiah")
      #expect(stored.note == "lent")
      #expect(stored.rating == 4)
    }
  }

  struct Shelf: DataCenter {
    struct Item: TableRecord {
      var id: Int64?
      var title: String
      static let table = Table(
        "item", Item.init, Column("id", \.id).primaryKey(), Column("title", \.title)
      ).fullText(\.title)
    }

    let database: Database
    static let tables: Tables = [Author.self, Item.self]
  }

  @Test
  func `a DataCenter's first write creates or extends all tables and indexes of the DataCenter`()
    throws
  {
    let shelf = Shelf(database: try .inMemory())
    try shelf.database.write { db in
      try db.executeScript(
        "CREATE TABLE item(id INTEGER PRIMARY KEY, title TEXT NOT NULL); INSERT INTO item VALUES (1, 'Dune');"
      )
    }

    try shelf.write { db in _ = try Author.table.insertAndFetch(Author(name: "Herbert"), in: db) }
    let found = try shelf.read { db in
      try Shelf.Item.search(FullTextQuery(matchingAll: "dune")).fetchCount(in: db)
    }
    #expect(found == 1)
  }
}
