import Testing
import UndercroftRelational
import UndercroftSQLite

/// A scenario with two tables with different columns: flats for rent, and new flats.
///
/// A list shows the rows of both tables as one type.
@Suite struct OneTypeForSeveralTablesScenario {
  struct Rental: TableRecord {
    var id: Int64?
    var title: String
    var price: Int
    var deposit: Int

    static let table = Table(
      "rental", Rental.init, Column("id", \.id).primaryKey(), Column("title", \.title),
      Column("price", \.price), Column("deposit", \.deposit))
  }

  struct NewFlat: TableRecord {
    var id: Int64?
    var title: String
    var price: Int
    var finished: Int

    static let table = Table(
      "new_flat", NewFlat.init, Column("id", \.id).primaryKey(), Column("title", \.title),
      Column("price", \.price), Column("finished", \.finished))
  }

  // The element of the list. `Codable` provides the conformance to `VirtualRecord`.
  struct Offer: Codable, VirtualRecord, Equatable {
    var title = ""
    var price = 0
  }

  // The element of a union of both tables, which SQLite sorts and counts.
  struct Listed: Equatable {
    var title: String
    var price: Int
    var kind: String

    static let all = TableUnion(
      Table(
        "listed", Listed.init, Column("title", \.title), Column("price", \.price),
        Column("kind", \.kind)),
      of: Rental.table, NewFlat.table, origin: "kind")
  }

  struct Listings: DataCenter {
    let database: Database
    static let tables: Tables = [Rental.self, NewFlat.self]

    /// Reads each table separately and concatenates the results.
    func offers() throws -> [Offer] {
      try read { db in
        let rentals = try Rental.fetchAll(filling: { Offer() }, in: db)
        let flats = try NewFlat.where { $0.finished > 2000 }
          .fetchAll(filling: { Offer() }, in: db)
        return rentals + flats
      }
    }

    /// Reads one page of the union.
    func page(_ number: Int, of size: Int, below price: Int) throws -> [Listed] {
      try read { db in
        try Listed.all.where { $0.price < price }.order { $0.price }
          .limit(size, offset: number * size).fetchAll(in: db)
      }
    }
  }

  @Test func `rows of several tables are read as one type and as one sorted list`() throws {
    let listings = Listings(database: try .inMemory())
    try listings.write { db in
      try Rental.table.insertAll(
        [
          Rental(title: "Elm 1", price: 900, deposit: 1800),
          Rental(title: "Elm 3", price: 1100, deposit: 2200),
        ], in: db)
      try NewFlat.table.insertAll(
        [
          NewFlat(title: "Oak 7", price: 1000, finished: 2024),
          NewFlat(title: "Oak 9", price: 5000, finished: 1999),
        ], in: db)
    }

    #expect(try listings.offers().map(\.title) == ["Elm 1", "Elm 3", "Oak 7"])

    try #expect(
      listings.page(0, of: 2, below: 2000) == [
        Listed(title: "Elm 1", price: 900, kind: "rental"),
        Listed(title: "Oak 7", price: 1000, kind: "new_flat"),
      ])

    #expect(try listings.page(1, of: 2, below: 2000).map(\.title) == ["Elm 3"])
  }
}
