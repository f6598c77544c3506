import Foundation
import Testing
import UndercroftRelational
import UndercroftSQLite

/// A screen offers a filter of several keys, each with a least and a greatest value.
///
/// The data center turns it into conditions; the screen never sees a column.
@Suite struct StructuredFilterScenario {
  // The weak business: one table.
  struct Flat: TableRecord, Equatable {
    var id: Int64?
    var street: String
    var rent: Int
    var rooms: Int
    var area: Double?

    static let table = Table(
      "flat", Flat.init, Column("id", \.id).primaryKey(), Column("street", \.street),
      Column("rent", \.rent).indexed(), Column("rooms", \.rooms), Column("area", \.area))
  }

  // What the screen fills in: what is left empty asks for nothing.
  struct FlatFilter {
    var rent: (least: Int?, greatest: Int?)
    var rooms: (least: Int?, greatest: Int?)
    var area: (least: Double?, greatest: Double?)
    var street: String?
  }

  // The strong business: what the application says.
  struct FlatSearch: DataCenter {
    let database: Database
    static let tables = [Flat.table.definition]

    func flats(matching filter: FlatFilter) throws -> [Flat] {
      try read { db in
        var flats = Flat.table.where {
          $0.rent.isBetween(filter.rent.least, filter.rent.greatest)
            && $0.rooms.isBetween(filter.rooms.least, filter.rooms.greatest)
            && $0.area.isBetween(filter.area.least, filter.area.greatest)
        }
        if let street = filter.street { flats = flats.where { $0.street == street } }
        return try flats.order { $0.rent }.fetchAll(in: db)
      }
    }
  }

  @Test func `a filter of several keys with a least and a greatest value each`() throws {
    let search = FlatSearch(database: try .inMemory())
    try search.write { db in
      try Flat.table.insert(
        contentsOf: [
          Flat(street: "Elm", rent: 900, rooms: 3, area: 70),
          Flat(street: "Oak", rent: 1200, rooms: 4, area: 95.5),
          Flat(street: "Elm", rent: 700, rooms: 2, area: nil),
        ], in: db)
    }
    func rents(_ filter: FlatFilter) throws -> [Int] {
      try search.flats(matching: filter).map(\.rent)
    }
    #expect(
      try rents(FlatFilter(rent: (nil, nil), rooms: (nil, nil), area: (nil, nil)))
        == [700, 900, 1200])
    #expect(
      try rents(FlatFilter(rent: (800, 1200), rooms: (nil, 3), area: (60, nil))) == [900])
    #expect(
      try rents(FlatFilter(rent: (nil, 1000), rooms: (nil, nil), area: (nil, nil), street: "Elm"))
        == [700, 900])
    // What is left open does not ask for a value at all.
    #expect(try rents(FlatFilter(rent: (nil, nil), rooms: (2, 2), area: (nil, nil))) == [700])
  }
}
