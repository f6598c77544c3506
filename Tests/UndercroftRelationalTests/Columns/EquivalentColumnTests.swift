import Foundation
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

private let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")

/// Tests of column names that Swift considers equal and SQLite does not: "é" as one scalar and as
/// two.
@Suite struct EquivalentColumnTests {
  private struct Menu: TableRecord, Equatable {
    var id: Int64?
    var first: String
    var second: String

    static let table = Table(
      "menu", Menu.init, Column("id", \.id).primaryKey(), Column(composed, \.first).indexed(),
      Column(decomposed, \.second).indexed()
    ).fullText(\.first, \.second)
  }

  private func menus() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      for number in 1...4 {
        try Menu.table.insert(
          Menu(first: "tea \(number)", second: "coffee \(9 - number)"), in: db)
      }
    }
    return database
  }

  @Test func `ColumnValues distinguishes column names that are canonically equivalent`() throws {
    var values: ColumnValues = [composed: .text("tea"), decomposed: .text("coffee")]
    #expect(values.names.count == 2)
    #expect(values[composed] == .text("tea"))
    #expect(values[decomposed] == .text("coffee"))
    values[composed] = nil
    #expect(values.names.map { Array($0.utf8) } == [Array(decomposed.utf8)])
    #expect(values.merging([composed: .null]).names.count == 2)
    #expect(ColumnValues([composed: .integer(1)]) != ColumnValues([decomposed: .integer(1)]))
  }

  @Test func `a table with canonically equivalent column names can be written and read`() throws {
    try Database.inMemory().write { db in
      let values: ColumnValues = [composed: .text("tea"), decomposed: .text("coffee")]
      let written = try Menu.table.insertAndFetch(from: values, in: db)
      #expect(written == Menu(id: 1, first: "tea", second: "coffee"))

      let row = try QueryCommand.select(from: "menu").fetchAll(in: db).first
      #expect(row?[composed] == .text("tea"))
      #expect(row?[decomposed] == .text("coffee"))

      let found = try Menu.fetchOne(filling: { ColumnValues() }, in: db)
      #expect(found?[composed] == .text("tea"))
      #expect(found?[decomposed] == .text("coffee"))
    }
  }

  @Test func `a page cursor distinguishes order columns whose names are canonically equivalent`()
    throws
  {
    try menus().read { db in
      let page = try Menu.order { $0.first }.fetchPage(of: 2, in: db)
      let error = #expect(throws: StorageError.self) {
        try Menu.order { $0.second }.fetchPage(of: 2, after: page.end, in: db)
      }
      #expect(error?.message.contains("another order") == true)
    }
  }

  @Test
  func `fetchHighlights reads the given column and not one with a canonically equivalent name`()
    throws
  {
    try menus().read { db in
      let found = Menu.search(FullTextQuery(matchingAll: "coffee"))
      let texts = try found.fetchHighlights(of: \.second, in: db).map(\.text)
      #expect(texts.count == 4)
      #expect(texts.allSatisfy { $0.hasPrefix("[coffee]") })
    }
  }

  @Test
  func `a column whose name is canonically equivalent to the partition key's name can be updated`()
    throws
  {
    struct Part: TableRecord {
      var key: Int64
      var other: Int64
      static let table = Table(
        "part", Part.init, Column(composed, \.key).primaryKey(), Column(decomposed, \.other))
    }

    let parts = Part.table.partitioned(into: 2)
    try Database.inMemory().write { db in
      try parts.insert(Part(key: 1, other: 1), in: db)
      let count = try parts.update(where: { $0.key == 1 }, in: db) { $0.other = 5 }
      #expect(count == 1)
    }
  }
}
