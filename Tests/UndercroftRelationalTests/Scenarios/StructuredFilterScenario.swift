import Foundation
import Testing
import UndercroftRelational
import UndercroftSQLite

/// A scenario in which a screen offers a filter with lower and upper bounds for several columns.
///
/// The data center translates the filter into conditions, so the screen does not use any column.
@Suite struct StructuredFilterScenario {
  // The table layer: one table.
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

  // The values that the user enters. `nil` imposes no condition.
  struct FlatFilter {
    var rent: (least: Int?, greatest: Int?)
    var rooms: (least: Int?, greatest: Int?)
    var area: (least: Double?, greatest: Double?)
    var street: String?
  }

  // The application layer: a method in the terms of the user.
  struct FlatSearch: DataCenter {
    let database: Database
    static let tables: Tables = [Flat.self]

    func flats(matching filter: FlatFilter) throws -> [Flat] {
      try read { db in
        var flats = Flat.where {
          $0.rent.isBetween(filter.rent.least, filter.rent.greatest)
            && $0.rooms.isBetween(filter.rooms.least, filter.rooms.greatest)
            && $0.area.isBetween(filter.area.least, filter.area.greatest)
        }
        if let street = filter.street { flats = flats.where { $0.street == street } }
        return try flats.order { $0.rent }.fetchAll(in: db)
      }
    }
  }

  @Test func `a filter with bounds for several columns selects the rows within all bounds`() throws
  {
    let search = FlatSearch(database: try .inMemory())
    try search.write { db in
      try Flat.table.insertAll(
        [
          Flat(street: "Elm", rent: 900, rooms: 3, area: 70),
          Flat(street: "Oak", rent: 1200, rooms: 4, area: 95.5),
          Flat(street: "Elm", rent: 700, rooms: 2, area: nil),
        ], in: db)
    }

    func rents(_ filter: FlatFilter) throws -> [Int] {
      try search.flats(matching: filter).map(\.rent)
    }

    try #expect(
      rents(FlatFilter(rent: (nil, nil), rooms: (nil, nil), area: (nil, nil)))
        == [700, 900, 1200])
    try #expect(
      rents(FlatFilter(rent: (800, 1200), rooms: (nil, 3), area: (60, nil))) == [900])
    try #expect(
      rents(FlatFilter(rent: (nil, 1000), rooms: (nil, nil), area: (nil, nil), street: "Elm"))
        == [700, 900])
    // An unbounded range also accepts NULL.
    #expect(try rents(FlatFilter(rent: (nil, nil), rooms: (2, 2), area: (nil, nil))) == [700])
  }
}
