import Foundation
import UndercroftRelational
import UndercroftSQLite

/// A reader, who references a club.
///
/// A club references its founder and its parent club.
struct Reader: TableRecord, Equatable {
  var id: Int64?
  var name: String
  var clubID: Int64?

  static let table = Table(
    "reader", Reader.init,
    Column("id", \.id).primaryKey(),
    Column("name", \.name).collated("NOCASE"),
    Column("club_id", \.clubID).references(Club.self, onDelete: .setNull))
}

struct Club: TableRecord, Equatable {
  var id: Int64?
  var name: String
  var founderID: Int64?
  var parentID: Int64?

  static let table = Table(
    "club", Club.init,
    Column("id", \.id).primaryKey(),
    Column("name", \.name).unique(),
    Column("founder_id", \.founderID).references(Reader.self, isDeferred: true),
    Column("parent_id", \.parentID).references(Club.self, onDelete: .cascade, onUpdate: .cascade))
}

/// A copy of a book with a unique location.
///
/// A loan references one copy.
struct Copy: TableRecord, Equatable {
  var isbn: String
  var number: Int
  var shelf: String?
  var place: Int?

  static let table = Table(
    "copy", Copy.init,
    Column("isbn", \.isbn).primaryKey(),
    Column("number", \.number).primaryKey().check("number > 0"),
    Column("shelf", \.shelf),
    Column("place", \.place)
  )
  .unique(\.shelf, \.place)
  .check("(shelf IS NULL) = (place IS NULL)")
  .strict()
  .withoutRowID()
}

struct Loan: TableRecord, Equatable {
  var id: Int64?
  var isbn: String
  var number: Int
  var lent: Double
  var returned: Double?
  var fee: Double?

  static let table = Table(
    "loan", Loan.init,
    Column("id", \.id).primaryKey(isAutoincrementing: true),
    Column("isbn", \.isbn),
    Column("number", \.number),
    Column("lent", \.lent).default(0.5),
    Column("returned", \.returned),
    Column("fee", \.fee).generated(as: "max(0, returned - lent - 30)", isStored: true)
  )
  .references(Copy.self, from: \.isbn, \.number, onDelete: .restrict)
  .indexed(\.isbn, \.number, unique: true, where: "returned IS NULL")
  .check("lent < returned")
}
