import Testing
import UndercroftRelational
import UndercroftSQLite

/// Tests that a column of a derived table is compared, sorted and grouped by its declared
/// collation.
@Suite struct DerivedCollationTests {
  struct Member: TableRecord {
    var id: Int64?
    var name: String
    static let table = Table(
      "person", Member.init, Column("id", \.id).primaryKey(), Column("name", \.name))
  }

  struct Home: TableRecord {
    var id: Int64
    var city: String?
    static let table = Table(
      "home", Home.init, Column("id", \.id).primaryKey(),
      Column("city", \.city).collated("NOCASE").default("x", replacesNil: false))
  }

  struct Whole: Equatable {
    var id: Int64?
    var name: String
    var city: String?

    static let split = VerticalSplit(
      Table(
        "whole", Whole.init, Column("id", \.id).primaryKey(), Column("name", \.name),
        Column("city", \.city).default("x", replacesNil: false)),
      of: Member.table, Home.table)
  }

  struct Place {
    var city: String?
    static let list = Table(
      "place", Place.init, Column("city", \.city).collated("NOCASE").default("x"))
    static let plain = Table("place", Place.init, Column("city", \.city))
  }

  @Test
  func `a vertical split compares a column by the collation declared in the column's base table`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try Whole.split.insert(Whole(id: nil, name: "Ada", city: "Berlin"), in: db)
      try Whole.split.insert(Whole(id: nil, name: "Bob", city: "berlin"), in: db)
      try Member.table.insert(Member(name: "Cleo"), in: db)
    }

    try database.read { db in
      #expect(try Whole.split.where { $0.city == "BERLIN" }.fetchCount(in: db) == 2)
      #expect(try Whole.split.where { $0.city == "X" }.fetchCount(in: db) == 1)
      try #expect(
        Whole.split.group { $0.city }.select { $0.rowCount }.fetchAll(in: db).count == 2)
      #expect(try Whole.split.fetchDistinctValues(in: db) { $0.city }.count == 2)
      #expect(try Home.where { $0.city == "BERLIN" }.fetchCount(in: db) == 2)
    }
  }

  @Test func `a nil value stored in a vertical split is read as nil`() throws {
    let database = try Database.inMemory()

    let stored = try database.write { db in
      try Member.table.insert(Member(name: "Cleo"), in: db)
      return try Whole.split.insertAndFetch(Whole(id: nil, name: "Ada", city: nil), in: db)
    }

    #expect(stored == Whole(id: 2, name: "Ada", city: nil))
    try database.read { db in
      try #expect(Whole.split.where { $0.city == nil }.fetchAll(in: db) == [stored])
      // Without a row in the second table, the column has its default value.
      try #expect(Whole.split.find(1 as Int64, in: db)?.city == "x")
    }
  }

  @Test(arguments: [true, false])
  func `a union compares a column by the declared collation regardless of the table order`(
    isFirst: Bool
  ) throws {
    let database = try Database.inMemory()
    try database.write { db in
      try Member.table.insert(Member(name: "Ada"), in: db)
      try Home.table.insertAll(
        [Home(id: 1, city: "Berlin"), Home(id: 2, city: "berlin")], in: db)
    }
    for list in [Place.list, Place.plain] {
      let union =
        isFirst
        ? TableUnion(list, of: Home.table, Member.table)
        : TableUnion(list, of: Member.table, Home.table)

      try database.read { db in
        #expect(try union.where { $0.city == "BERLIN" }.fetchCount(in: db) == 2)
        #expect(try union.fetchDistinctValues(in: db) { $0.city }.count == 2)
        let order = try union.order { $0.city.descending }.order { _ in SQLOrdering("1") }
          .fetchAll(in: db)
        #expect(order.count == 3)
      }
    }
  }

  @Test
  func `a union compares a column by the declared collation even if one table is missing`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try Home.table.insert(Home(id: 1, city: "Berlin"), in: db)
    }
    let union = TableUnion(Place.list, of: Home.table.named("old_home"), Home.table)

    try #expect(
      database.read { db in try union.where { $0.city == "BERLIN" }.fetchCount(in: db) } == 1)
  }
}
