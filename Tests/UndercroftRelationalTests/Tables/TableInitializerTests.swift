import Testing
import UndercroftRelational
import UndercroftSQLite

@Suite struct TableInitializerTests {
  /// The numbers of the shelves on which the copies of a book stand.
  private struct Shelves: Equatable {
    var numbers: [Int]

    init(_ numbers: Int...) { self.numbers = numbers }
  }

  private static func column(_ index: Int) -> Column<Shelves, Int> {
    Column("shelf\(index)", \.numbers[index])
  }

  private static let (a, b, c, d, e) = (column(0), column(1), column(2), column(3), column(4))
  private static let (f, g, h, i, j) = (column(5), column(6), column(7), column(8), column(9))
  private static let (k, l, m) = (column(10), column(11), column(12))

  /// Tables with one to thirteen columns, in this order.
  private static let tables: [Table<Shelves>] = [
    Table("t1", { Shelves($0) }, a),
    Table("t2", { Shelves($0, $1) }, a, b),
    Table("t3", { Shelves($0, $1, $2) }, a, b, c),
    Table("t4", { Shelves($0, $1, $2, $3) }, a, b, c, d),
    Table("t5", { Shelves($0, $1, $2, $3, $4) }, a, b, c, d, e),
    Table("t6", { Shelves($0, $1, $2, $3, $4, $5) }, a, b, c, d, e, f),
    Table("t7", { Shelves($0, $1, $2, $3, $4, $5, $6) }, a, b, c, d, e, f, g),
    Table("t8", { Shelves($0, $1, $2, $3, $4, $5, $6, $7) }, a, b, c, d, e, f, g, h),
    Table("t9", { Shelves($0, $1, $2, $3, $4, $5, $6, $7, $8) }, a, b, c, d, e, f, g, h, i),
    Table(
      "t10", { Shelves($0, $1, $2, $3, $4, $5, $6, $7, $8, $9) }, a, b, c, d, e, f, g, h, i, j),
    Table(
      "t11", { Shelves($0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10) },
      a, b, c, d, e, f, g, h, i, j, k),
    Table(
      "t12", { Shelves($0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) },
      a, b, c, d, e, f, g, h, i, j, k, l),
    Table(
      "t13", { Shelves($0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) },
      a, b, c, d, e, f, g, h, i, j, k, l, m),
  ]

  @Test func `a table of any number of columns stores and fetches each column`() throws {
    let database = try Database.inMemory()

    for (index, table) in Self.tables.enumerated() {
      var shelves = Shelves()
      shelves.numbers = (0...index).map { $0 * $0 + index }

      try database.write { db in try table.insert(shelves, in: db) }

      #expect(table.definition.columns.count == index + 1)
      #expect(try database.read { db in try table.fetchAll(in: db) } == [shelves])
    }
  }
}
