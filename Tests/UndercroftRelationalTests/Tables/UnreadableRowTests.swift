import Foundation
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

/// Tests of the errors for rows that cannot be decoded as records.
@Suite struct UnreadableRowTests {
  private func database() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      try Book.table.insertAll([Book(title: "Dune"), Book(title: "Emma")], in: db)
      try db.execute("UPDATE book SET genre = 'hunter2' WHERE id = 2")
    }
    return database
  }

  private func check(_ error: StorageError?, _ expected: [String]) {
    #expect(error?.code == .decodingFailed)
    for text in expected { #expect(error?.message.contains(text) == true, "\(text)") }
    #expect(error?.message.contains("hunter2") == false)
    let cause = error?.underlying as? StorageError
    #expect(cause?.code == .decodingFailed)
    #expect(cause?.message.contains("\"genre\"") == true)
  }

  @Test
  func `a decoding error names table, column, key and statement, and wraps the column's error`()
    throws
  {
    let expected = ["\"book\"", "\"genre\"", "\"id\" = 2", "SELECT", "raw value"]
    try database().read { db in
      check(
        #expect(throws: StorageError.self) { try Book.fetchAll(in: db) }, expected)
      check(
        #expect(throws: StorageError.self) { try Book.find(2 as Int64, in: db) }, expected)
      check(
        #expect(throws: StorageError.self) {
          try Book.fetchAll(sql: "SELECT *, 1 AS one FROM book", in: db)
        }, expected)
      check(
        #expect(throws: StorageError.self) {
          _ = try Author.all.leftJoin(Book.all) { $0.id != $1.id }.fetchAll(in: db)
          _ = try Book.crossJoin(Book.all).fetchAll(in: db)
        }, expected)
    }
  }

  @Test func `a decoding error omits the key value if the key column itself is unreadable`() throws
  {
    struct Coin: TableRecord {
      var id: Genre
      static let table = Table("coin", Coin.init, Column("id", \.id).primaryKey())
    }
    let database = try Database.inMemory()
    try database.write { db in
      try Coin.table.prepare(in: db)
      try db.execute("INSERT INTO coin VALUES ('hunter2')")
      let error = #expect(throws: StorageError.self) { try Coin.fetchAll(in: db) }
      #expect(error?.message.contains("\"coin\"") == true)
      #expect(error?.message.contains("hunter2") == false)
    }
  }

  @Test
  func `an error names a computed property's column, or the property's type if no column exists`()
    throws
  {
    struct Note: TableRecord {
      var id: Int64?
      var raw: String
      var text: String { raw }
      var size: Int { raw.utf8.count }
      static let table = Table(
        "note", { (id: Int64?, text: String) in Note(id: id, raw: text) },
        Column("id", \.id).primaryKey(), Column("text", \.text)
      ).fullText(\.text)
    }
    try Database.inMemory().write { db in

      try Note.table.insert(Note(id: nil, raw: "a"), in: db)

      let shown = #expect(throws: StorageError.self) {
        try Note.all.fetchSnippets(of: \.text, in: db)
      }
      #expect(shown?.message.contains("\"text\"") == true)

      let size = #expect(throws: StorageError.self) {
        try Note.where { $0.size > 1 }.fetchAll(in: db)
      }
      #expect(size?.message.contains("computed property of type Int") == true)
      #expect(size?.message.contains("0x") == false)
    }
  }

  @Test func `the error for a damaged full-text table suggests rebuilding that table`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try Tome.table.insertAll(Tome.shelf, in: db)
      // Makes the index forget words that the row does not contain.
      try db.execute(
        """
        INSERT INTO tome_search(tome_search, rowid, title, note)
        VALUES ('delete', 1, 'other', 'words')
        """)
    }
    try database.write { db in
      let error = #expect(throws: StorageError.self) {
        try db.execute("INSERT INTO tome_search(tome_search, rank) VALUES ('integrity-check', 1)")
      }
      #expect(error?.code == .corrupted)
      #expect(
        error?.message.contains(#"INSERT INTO "tome_search"("tome_search") VALUES ('rebuild')"#)
          == true)
      #expect(error?.message.contains("book") == false)
    }
  }
}
