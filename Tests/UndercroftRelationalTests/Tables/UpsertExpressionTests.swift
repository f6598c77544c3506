import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct UpsertExpressionTests {
  struct Stock: TableRecord, Equatable {
    var id: Int64?
    var shelf: String
    var position: Int
    var copies: Int
    var note: String?

    static let table = Table(
      "stock", Stock.init,
      Column("id", \.id).primaryKey(),
      Column("shelf", \.shelf),
      Column("position", \.position),
      Column("copies", \.copies).check("copies >= 0"),
      Column("note", \.note)
    )
    .unique(\.shelf, \.position)
    static let checked = table.checkingUpdates { stock in
      guard stock.copies < 100 else { throw Unwelcome() }
    }
  }

  @Test(arguments: [false, true])
  func `an upsert on several columns can assign expressions of the stored and the new values`(
    isChecked: Bool
  ) throws {
    let table = isChecked ? Stock.checked : Stock.table
    try Database.inMemory().write { db in
      let delivery = Stock(shelf: "A", position: 1, copies: 2, note: "new")
      for _ in 1...3 {
        try table.upsert(delivery, on: \.shelf, \.position, in: db) { row, excluded in
          row.copies += excluded.copies
        }
      }
      var expected = delivery
      (expected.id, expected.copies) = (1, 6)
      try #expect(table.fetchAll(in: db) == [expected])

      // Values and columns may be mixed, and columns that are not assigned remain unchanged.
      let more = Stock(shelf: "A", position: 1, copies: 10, note: "more")
      let stored = try table.upsertAndFetch(more, on: \.shelf, \.position, in: db) {
        $0.copies = $0.copies * 10 + $1.copies
        $0.position = 7
      }
      (expected.copies, expected.position) = (70, 7)
      #expect(stored == expected)
    }
  }

  @Test func `an upsert without an assignment returns the existing row unchanged`() throws {
    try Database.inMemory().write { db in
      let first = try Stock(shelf: "A", position: 1, copies: 2).insertAndFetch(in: db)

      let same = try Stock(shelf: "A", position: 1, copies: 9)
        .upsertAndFetch(on: \.shelf, \.position, in: db) { _, _ in }

      #expect(same == first)
    }
  }

  @Test
  func `an upsert with expressions updates the row with the same key if no unique value matches`()
    throws
  {
    try Database.inMemory().write { db in
      try Stock(id: 5, shelf: "A", position: 1, copies: 2).insert(in: db)

      try Stock(id: 5, shelf: "B", position: 1, copies: 3)
        .upsert(on: \.shelf, \.position, in: db) { $0.copies += $1.copies }

      try #expect(Stock.fetchAll(in: db).map(\.copies) == [5])
    }
  }

  @Test
  func `a table's checkingUpdates closure rejects upsert expressions that make a row invalid`()
    throws
  {
    try Database.inMemory().write { db in
      let many = Stock(shelf: "A", position: 1, copies: 150)
      // The check applies to updates only.
      try Stock.checked.upsert(many, on: \.shelf, \.position, in: db) { _, _ in }

      #expect(throws: RecordRejectedError<Stock>.self) {
        try Stock.checked.upsert(many, on: \.shelf, \.position, in: db) {
          $0.copies += $1.copies
        }
      }
      try #expect(Stock.fetchAll(in: db).map(\.copies) == [150])
    }
  }

  @Test
  func `an upsert can assign a subquery, and throws if an assigned value violates a constraint`()
    throws
  {
    try Database.inMemory().write { db in
      try Edition(title: "Dune", rating: 4).insert(in: db)
      let stock = Stock(shelf: "A", position: 1, copies: 2)
      for _ in 1...2 {
        try stock.upsert(on: \.shelf, \.position, in: db) {
          $0.copies = SQLExpression("(SELECT max(rating) FROM edition) + \($1.copies.sql)")
        }
      }
      try #expect(Stock.fetchAll(in: db).map(\.copies) == [6])

      let error = #expect(throws: StorageError.self) {
        try stock.upsert(on: \.shelf, \.position, in: db) {
          $0.copies = $1.copies - 100
        }
      }
      #expect(error?.code == .constraintViolated)
      try #expect(Stock.fetchAll(in: db).map(\.copies) == [6])
    }
  }
}
