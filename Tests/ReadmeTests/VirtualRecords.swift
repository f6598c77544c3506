import Foundation
import Testing
import Undercroft

// The code of Docs/Guides/VirtualRecordsAndDataCenters.md for one table. The code for several
// tables is in VirtualRecords+….swift.

enum VirtualRecords {
  struct Account: TableRecord, VirtualRecord, Equatable {
    var id: Int64?
    var nickname: String?
    var picture: String?
    var token: String?

    static let table = Table(
      "account", Account.init,
      Column("id", \.id).primaryKey(),
      Column("nickname", \.nickname),
      Column("picture", \.picture),
      Column("token", \.token))
  }

  struct Session: Codable, VirtualRecord, Equatable {  // Codable: nothing to write
    var id: Int64?
    var token: String?
  }

  @MainActor final class PortraitView: @MainActor VirtualRecord {
    var nickname: String?
    var picture: String?

    func columnValues() throws -> ColumnValues {
      var values = ColumnValues()
      try values.set("nickname", to: nickname)
      try values.set("picture", to: picture)
      return values
    }

    func assign(_ values: ColumnValues) throws {
      try values.read("nickname", into: &nickname)
      try values.read("picture", into: &picture)
    }
  }

  struct Accounts: DataCenter {
    let database: Database
    static let tables: Tables = [Account.self]

    func save(_ account: Account) throws -> Account {
      try write { db in try account.upsertAndFetch(in: db) }
    }

    func renew(_ session: Session) throws {
      try write { db in
        try Account.update(from: session, in: db)  // the token alone
      }
    }

    func account(_ id: Int64) throws -> Account? {
      try read { db in try Account.find(id, in: db) }
    }
  }

  @MainActor static func merge(_ accounts: Accounts, _ portrait: PortraitView) throws -> Account? {
    let session = Session(id: nil, token: "t-1")
    let merged = try Account().merging(portrait).merging(session)
    let saved = try accounts.save(merged)

    let other = try PortraitView().merge(saved)  // an object is changed, and returned
    let again = try Session().merging(saved)  // a value is not: the result is another
    try other.merge(portrait, overriding: false)  // fills only what is nil in `other`
    return again.id == saved.id && other.nickname == portrait.nickname ? saved : nil
  }

  @MainActor static func save(_ portrait: PortraitView, in database: Database) throws -> Account {
    try database.write { db in
      try Account.insertAndFetch(from: portrait, in: db) { $0.token = "t-2" }
    }
  }

  struct Flat: TableRecord, Equatable {
    var id: Int64?
    var street: String
    var rent: Int
    var rooms: Int
    var area: Double?

    static let table = Table(
      "flat", Flat.init,
      Column("id", \.id).primaryKey(),
      Column("street", \.street),
      Column("rent", \.rent).indexed(),
      Column("rooms", \.rooms),
      Column("area", \.area))
  }

  struct FlatFilter {  // what the screen fills in; nil asks for nothing
    var minRent: Int?
    var maxRent: Int?
    var minRooms: Int?
    var maxRooms: Int?
    var minArea: Double?
    var maxArea: Double?
    var street: String?
  }

  struct FlatSearch: DataCenter {
    let database: Database
    static let tables: Tables = [Flat.self]

    func flats(matching filter: FlatFilter) throws -> [Flat] {
      try read { db in
        var flats = Flat.where {
          $0.rent.isBetween(filter.minRent, filter.maxRent)
            && $0.rooms.isBetween(filter.minRooms, filter.maxRooms)
            && $0.area.isBetween(filter.minArea, filter.maxArea)
        }
        if let street = filter.street { flats = flats.where { $0.street == street } }
        return try flats.order { $0.rent }.fetchAll(in: db)
      }
    }
  }

  @MainActor final class FlatsModel {
    let search: FlatSearch
    var filter = FlatFilter()
    private(set) var flats: [Flat] = []

    init(search: FlatSearch) { self.search = search }

    func reload() async throws {
      let (search, filter) = (search, filter)
      flats = try await search.async.read { _ in try search.flats(matching: filter) }
    }
  }
}
