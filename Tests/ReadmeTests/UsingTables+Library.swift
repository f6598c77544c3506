public import Undercroft

// The code of Docs/Guides/UsingTables.md: types of a library. `public import` is needed because the
// package enables `InternalImportsByDefault`.

public struct Member: TableRecord, Equatable {
  public var id: Int64?
  public var name: String

  public init(id: Int64? = nil, name: String) {  // Swift's own initialiser is internal
    self.id = id
    self.name = name
  }

  public static let table = Table(
    "member", Member.init,
    Column("id", \.id).primaryKey(),
    Column("name", \.name).unique())
}

public struct Membership: DataCenter {
  public let database: Database
  public static let tables: Tables = [Member.self]

  public init(database: Database) { self.database = database }

  public func join(_ name: String) throws -> Member {
    try write { db in try Member(name: name).insertAndFetch(in: db) }
  }
}
