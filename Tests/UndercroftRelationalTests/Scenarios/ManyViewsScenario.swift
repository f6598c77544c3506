import Testing
import UndercroftRelational
import UndercroftSQLite

/// A scenario in which several view models contain parts of one row: a portrait contains the
/// nickname and the picture, and a session contains the id and the token.
///
/// The view models are merged and saved as one row, and are filled by one read.
@Suite struct ManyViewsScenario {
  struct Account: TableRecord, VirtualRecord, Equatable {
    var id: Int64?
    var nickname: String?
    var picture: String?
    var token: String?

    static let table = Table(
      "account", Account.init, Column("id", \.id).primaryKey(), Column("nickname", \.nickname),
      Column("picture", \.picture), Column("token", \.token))
  }

  // `Codable` types have a default implementation.
  struct Session: Codable, VirtualRecord, Equatable {
    var id: Int64?
    var token: String?
  }

  // A view that implements the protocol explicitly.
  @MainActor final class PortraitView {
    var nickname: String? = nil
    var picture: String? = nil
  }

  struct Accounts: DataCenter {
    let database: Database
    static let tables: Tables = [Account.self]

    func save(_ account: Account) throws -> Account {
      try write { db in try account.upsertAndFetch(in: db) }
    }

    func account(_ id: Int64) throws -> Account? {
      try read { db in try Account.find(id, in: db) }
    }
  }

  @Test @MainActor
  func `virtual records of one row can be merged, saved as one row and read from that row`()
    throws
  {
    let accounts = Accounts(database: try .inMemory())
    let portrait = PortraitView()
    (portrait.nickname, portrait.picture) = ("ada", "owl.png")

    // account ← portrait ← session
    let merged = try Account().merging(portrait).merging(Session(id: nil, token: "t-1"))
    let saved = try accounts.save(merged)
    #expect(saved == Account(id: 1, nickname: "ada", picture: "owl.png", token: "t-1"))

    // Reads the whole row once and fills each view with its part.
    let account = try #require(try accounts.account(1))
    let another = try PortraitView().merge(account)
    #expect(another.nickname == "ada" && another.picture == "owl.png")
    #expect(try Session().merging(account) == Session(id: 1, token: "t-1"))

    // Fills only missing values.
    portrait.picture = nil
    try portrait.merge(account, overriding: false)
    #expect(portrait.picture == "owl.png")
  }

  @Test @MainActor
  func `an update with a virtual record does not change the columns that the record lacks`()
    throws
  {
    let accounts = Accounts(database: try .inMemory())
    _ = try accounts.save(Account(nickname: "ada", picture: "owl.png", token: "t-1"))

    try accounts.write { db in
      _ = try Account.table.update(from: Session(id: 1, token: "t-2"), in: db)
    }

    try #expect(
      accounts.account(1)
        == Account(id: 1, nickname: "ada", picture: "owl.png", token: "t-2"))
  }
}

extension ManyViewsScenario.PortraitView: @MainActor VirtualRecord {
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
