import BehaviourTrait
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct TableUnionTests {
  struct Gift: TableRecord {
    var id: Int64?
    var title: String
    var donor: String

    static let table = Table(
      "gift", Gift.init, Column("id", \.id).primaryKey(), Column("title", \.title),
      Column("donor", \.donor))
  }

  struct Purchase: TableRecord {
    var id: Int64?
    var title: String
    var price: Int

    static let table = Table(
      "purchase", Purchase.init, Column("id", \.id).primaryKey(), Column("title", \.title),
      Column("price", \.price))
  }

  struct Arrival: Equatable {
    var title: String
    var price: Int
    var kind: String

    static let all = TableUnion(
      Table(
        "arrival", Arrival.init, Column("title", \.title), Column("price", \.price).default(0),
        Column("kind", \.kind)),
      of: Gift.table, Purchase.table, origin: "kind")
  }

  private func filled() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      for title in ["Dune", "Walden"] {
        _ = try Gift.table.insert(Gift(title: title, donor: "Ada"), in: db)
      }
      for (title, price) in [("Emma", 12), ("Ulysses", 20), ("Candide", 7)] {
        _ = try Purchase.table.insert(Purchase(title: title, price: price), in: db)
      }
    }
    return database
  }

  @Test func `a union applies conditions, order and limit to the rows of all its tables`() throws {
    let database = try filled()
    try database.read { db in
      let cheap = try Arrival.all.where { $0.price < 20 }.order { $0.title }.limit(3)
        .fetchAll(in: db)
      #expect(
        cheap == [
          Arrival(title: "Candide", price: 7, kind: "purchase"),
          Arrival(title: "Dune", price: 0, kind: "gift"),
          Arrival(title: "Emma", price: 12, kind: "purchase"),
        ])

      #expect(try Arrival.all.fetchCount(in: db) == 5)
      #expect(try Arrival.all.where { $0.kind == "gift" }.fetchCount(in: db) == 2)
      let page = try Arrival.all.order { $0.title }.limit(2, offset: 3).fetchAll(in: db)
      #expect(page.map(\.title) == ["Ulysses", "Walden"])
      #expect(try Arrival.all.limit(2).fetchAll(in: db).count == 2)
      #expect(try Arrival.all.exists(in: db))
      #expect(try Arrival.all.fetchValue(in: db) { $0.title.max } == "Walden")
      #expect(try Arrival.all.fetchAll(in: db).count == 5)
    }
  }

  @Test func `a union treats tables that do not exist yet as empty tables`() throws {
    let database = try Database.inMemory()
    #expect(try database.read { db in try Arrival.all.fetchAll(in: db) } == [])
    let one = try database.write { db in
      _ = try Gift.table.insert(Gift(title: "Dune", donor: "Ada"), in: db)
      return try Arrival.all.fetchAll(in: db)
    }
    #expect(one == [Arrival(title: "Dune", price: 0, kind: "gift")])
    #expect(try database.read { db in try Arrival.all.fetchAll(in: db) } == one)
  }

  @Test func `deleting from a union throws`() throws {
    let database = try filled()
    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        _ = try Arrival.all.where { $0.price > 0 }.delete(in: db)
      }
    }
    #expect(error?.code == .misuse)
    #expect(try database.read { db in try Arrival.all.fetchCount(in: db) } == 5)
  }

  @Test
  func `reading a union throws if a declared column exists in none of the union's tables`() throws {
    struct Odd {
      var shoe: Int
    }

    let odd = TableUnion(Table("odd", Odd.init, Column("shoe", \.shoe)), of: Gift.table)
    let error = #expect(throws: StorageError.self) {
      try Database.inMemory().read { db in try odd.fetchCount(in: db) }
    }
    #expect(error?.code == .misuse && error?.message.contains("shoe") == true)
  }
}
