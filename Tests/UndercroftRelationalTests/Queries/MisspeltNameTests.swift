import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

/// Tests of names for which a table has no column: they are always reported.
@Suite struct MisspeltNameTests {
  @Test func `a write throws if ColumnValues contain a column that the table does not have`() throws
  {
    try Database.inMemory().write { db in
      let name: ColumnValues = ["nam": .text("Herbert")]
      let rating: ColumnValues = ["title": .text("Dune"), "ratting": .integer(5)]
      let change: ColumnValues = ["id": .integer(1), "ratting": .null]

      let errors = [
        #expect(throws: StorageError.self) { try Author.table.insert(from: name, in: db) },
        #expect(throws: StorageError.self) { try Edition.table.insert(from: rating, in: db) },
        #expect(throws: StorageError.self) { try Edition.table.upsert(from: rating, in: db) },
        #expect(throws: StorageError.self) { try Edition.table.update(from: change, in: db) },
      ]

      #expect(errors.map { $0?.code } == Array(repeating: .misuse, count: 4))
      #expect(errors.allSatisfy { $0?.message.contains("no column") == true })
    }
  }

  @Test func `an insert matches the column names of ColumnValues regardless of case`() throws {
    try Database.inMemory().write { db in
      let values: ColumnValues = ["TITLE": .text("Dune"), "Rating": .integer(5)]

      let stored = try Edition.table.insertAndFetch(from: values, in: db)

      #expect(stored.title == "Dune")
      #expect(stored.rating == 5)
    }
  }

  @Test func `inserting two values for the same column throws`() throws {
    try Database.inMemory().write { db in
      let twice: ColumnValues = ["title": .text("Dune"), "TITLE": .text("Emma")]
      let error = #expect(throws: StorageError.self) {
        try Edition.table.insertAndFetch(from: twice, in: db)
      }
      #expect(error?.code == .misuse)
      #expect(throws: StorageError.self) {
        try QueryCommand.insert(into: Edition.table.definition, rows: [twice])
      }
    }
  }

  @Test func `reading a virtual record throws if the key has another type than the key column`()
    throws
  {
    try Database.inMemory().write { db in
      try Edition.table.insert(Edition(title: "Dune"), in: db)
      var values = ColumnValues()
      #expect(throws: StorageError.self) {
        try values.assign(from: Edition.table, key: "1", in: db)
      }
      #expect(throws: StorageError.self) {
        try values.assign(from: Edition.table, key: Int64?.none, in: db)
      }

      try #expect(values.assign(from: Edition.table, key: 1, in: db))
      #expect(values["title"] == .text("Dune"))
    }
  }

  @Test
  func `a quoted name that matches no column makes a statement throw and is not read as a string`()
    throws
  {
    try Database.inMemory().write { db in
      try Book.table.insert(Book(title: "Dune"), in: db)

      #expect(throws: StorageError.self) {
        try QueryCommand.select(["titel"], from: "book").fetchAll(in: db)
      }
      #expect(throws: StorageError.self) {
        try QueryCommand.createIndex("book_titel", on: "book", columns: ["titel"]).run(in: db)
      }
    }
  }
}
