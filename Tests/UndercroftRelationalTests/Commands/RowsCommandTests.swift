import BehaviourTrait
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct RowsCommandTests {
  private let table = Edition.table.definition

  @Test(.behaviour("A-CT-I19"))
  func `an insert command preserves the order of rows that have different columns`() throws {
    let rows: [ColumnValues] = [
      ["title": .text("a"), "rating": .integer(1)],
      ["rating": .integer(2), "title": .text("b")],
      ["note": .text("lent"), "title": .text("c")],
      ["title": .text("d"), "shelf": .null],
      ["title": .text("e"), "rating": .integer(5)],
    ]
    let command = try QueryCommand.insert(into: table, rows: rows)

    #expect(command.statements.count == 4)

    try Database.inMemory().write { db in
      try #expect(Edition.fetchCount(in: db) == 0)
      #expect(try command.run(in: db) == 5)
      try #expect(
        Edition.fetchAll(in: db) == [
          Edition(id: 1, title: "a", rating: 1, shelf: "unsorted"),
          Edition(id: 2, title: "b", rating: 2, shelf: "unsorted"),
          Edition(id: 3, title: "c", note: "lent", shelf: "unsorted"),
          Edition(id: 4, title: "d", shelf: nil),
          Edition(id: 5, title: "e", rating: 5, shelf: "unsorted"),
        ])
      #expect(try QueryCommand.insert(into: table, rows: []).run(in: db) == 0)
      let stored = try Edition.table.insertAllAndFetch(from: rows, in: db)
      #expect(stored.map(\.id) == [6, 7, 8, 9, 10])
      #expect(stored.map(\.title) == ["a", "b", "c", "d", "e"])
    }
  }

  @Test func `an insert command needs 4 statements for 1,000 rows with the same columns`() throws {
    let rows = (1...1000).map { number in
      ["isbn": .text("\(number)"), "title": .text("a")] as ColumnValues
    }
    let command = try QueryCommand.insert(into: table, rows: rows + [[:]])
    #expect(command.statements.count == 5)
    #expect(command.statements.last?.text == #"INSERT INTO "edition" DEFAULT VALUES"#)

    try Database.inMemory().write { db in
      try #expect(Edition.fetchCount(in: db) == 0)
      try #expect(QueryCommand.insert(into: table, rows: rows).run(in: db) == 1000)
      try #expect(
        QueryCommand.insert(into: table, rows: rows, onConflict: .ignore).run(in: db) == 0)
      #expect(throws: StorageError.self) {
        try QueryCommand.insert(
          into: table, rows: [["title": .text("new")], rows[3]]
        ).run(in: db)
      }
      try #expect(Edition.fetchCount(in: db) == 1000)
    }
  }

  @Test
  func `update, delete and upsert commands change rows, and a command's description is its SQL`()
    throws
  {
    try Database.inMemory().write { db in
      try Edition.table.insertAll((1...4).map { Edition(isbn: "\($0)") }, in: db)
      let shelf = "B"
      let update = try QueryCommand.update(
        table, set: ["shelf": .text(shelf), "rating": .integer(3)], where: "id > \(2)")
      #expect(
        update.description == #"UPDATE "edition" SET "rating" = ?, "shelf" = ? WHERE id > ?"#)
      #expect(try update.run(in: db) == 2)
      #expect(try QueryCommand.delete(from: table, where: "shelf = \(shelf)").run(in: db) == 2)

      let upsert = try QueryCommand.upsert(
        into: table, rows: [["isbn": .text("1"), "title": .text("Dune"), "note": .null]],
        on: ["isbn"], overwritingWithNil: false)
      try upsert.run(in: db)
      #expect(try Edition.find(1 as Int64, in: db)?.title == "Dune")

      try #expect(
        QueryCommand.update(table, set: ["rating": .null], where: .everything).run(in: db) == 2)
      #expect(try QueryCommand.delete(from: table, where: .everything).run(in: db) == 2)

      #expect(throws: StorageError.self) {
        try QueryCommand.update(table, set: ["colour": .null], where: .everything)
      }
      #expect(throws: StorageError.self) {
        try QueryCommand.upsert(into: table, rows: [], on: ["title"])
      }
    }
  }
}
