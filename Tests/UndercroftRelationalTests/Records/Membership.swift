import UndercroftRelational
import UndercroftSQLite

/// Tables for the members of a library, and virtual records with some of their columns.
enum Membership {
  struct Member: TableRecord, VirtualRecord, Equatable {
    var id: Int64?
    var nickname: String?
    var avatar: String?
    var token: String?

    static let table = Table(
      "member", Member.init,
      Column("id", \.id).primaryKey(),
      Column("nickname", \.nickname),
      Column("avatar", \.avatar),
      Column("token", \.token))
  }

  struct Detail: TableRecord, Equatable {
    var memberID: Int64
    var biography: String?
    var city: String = "unknown"

    static let table = Table(
      "member_detail", Detail.init,
      Column("member_id", \.memberID).primaryKey(),
      Column("biography", \.biography),
      Column("city", \.city).default("unknown"))
  }

  /// A virtual record that implements the protocol explicitly, with property names that are the
  /// same in every table.
  struct Portrait: VirtualRecord, Equatable {
    var nickname: String?
    var avatar: String?

    func columnValues() throws -> ColumnValues {
      var values = ColumnValues()
      try values.set("nickname", to: nickname)
      try values.set("avatar", to: avatar)
      return values
    }

    mutating func assign(_ values: ColumnValues) throws {
      try values.read("nickname", into: &nickname)
      try values.read("avatar", into: &avatar)
    }
  }

  /// A virtual record that uses the default implementation for `Codable` types.
  struct Credential: Codable, VirtualRecord, Equatable {
    var id: Int64?
    var token: String?
  }

  /// A class that implements the protocol explicitly.
  final class Badge: VirtualRecord {
    var nickname: String?
    var token: String?

    init(nickname: String? = nil, token: String? = nil) {
      (self.nickname, self.token) = (nickname, token)
    }

    func columnValues() throws -> ColumnValues {
      var values = ColumnValues()
      try values.set("nickname", to: nickname)
      try values.set("token", to: token)
      return values
    }

    func assign(_ values: ColumnValues) throws {
      try values.read("nickname", into: &nickname)
      try values.read("token", into: &token)
    }
  }

  /// A view model with columns of both tables under other names.
  final class ProfileView: MappedRecord {
    var memberID: Int64?
    var title = ""
    var about: String?
    var place = ""

    static var mapping: RecordMapping<ProfileView> {
      RecordMapping(
        .part(
          of: Member.table, MappedField(\.memberID, as: \.id), MappedField(\.title, as: \.nickname)),
        .part(
          of: Detail.table, MappedField(\.memberID, as: \.memberID),
          MappedField(\.about, as: \.biography),
          MappedField(\.place, as: \.city)))
    }
  }

  /// A virtual record isolated to the main actor.
  @MainActor final class Screen {
    var nickname = ""
    var city = ""
    nonisolated init() {}
  }
}

extension Membership.Screen: @MainActor MappedRecord {
  static var mapping: RecordMapping<Membership.Screen> {
    RecordMapping(
      .part(of: Membership.Member.table, MappedField(\.nickname, as: \.nickname)),
      .part(of: Membership.Detail.table, MappedField(\.city, as: \.city)))
  }
}
