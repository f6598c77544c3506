import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct RecordWritingTests {
  @Test func `a record inserts, updates, upserts and deletes its row`() throws {
    try Database.inMemory().write { db in
      try Edition(isbn: "1", title: "Dune").insert(in: db)
      try Edition(isbn: "2", title: "Emma", note: "lent").insert(only: \.isbn, \.title, in: db)
      try #expect(Edition(isbn: "1").insert(onConflict: .ignore, in: db) == 0)
      try #expect(Edition(isbn: "1").insertAndFetch(onConflict: .ignore, in: db) == nil)

      var edition = try Edition(isbn: "3", title: "Ulysses").insertAndFetch(in: db)
      // The two skipped insertions have used up a key each.
      #expect(edition == Edition(id: 5, isbn: "3", title: "Ulysses"))
      edition.rating = 4
      try #expect(edition.update(in: db) == 1)
      edition.rating = 5
      try #expect(edition.updateAndFetch(only: \.rating, in: db) == edition)
      try #expect(Edition(id: 9).update(only: \.rating, in: db) == 0)
      try #expect(Edition(id: 9).updateAndFetch(in: db) == nil)

      try Edition(isbn: "2", title: "Persuasion").upsert(on: \.isbn, only: \.title, in: db)
      let stored = try Edition(isbn: "2", title: "Walden").upsertAndFetch(on: \.isbn, in: db)
      #expect(stored == Edition(id: 2, isbn: "2", title: "Walden"))

      try #expect(stored.delete(in: db) == 1)
      try #expect(stored.delete(in: db) == 0)
      try #expect(
        Edition.order { $0.id }.fetchAll(in: db).map(\.title) == ["Dune", "Ulysses"])
    }
  }

  @Test
  func `a write can return the stored value of an optional property as a nonoptional value`()
    throws
  {
    try Database.inMemory().write { db in
      let id: Int64 = try Edition(isbn: "1", title: "Dune").insert(returning: \.id, in: db)
      #expect(id == 1)
      // The default replaces nil.
      let shelf = try Edition(isbn: "2", shelf: nil).insert(returning: \.shelf, in: db)
      #expect(shelf == "unsorted")

      let upserted = try Edition(isbn: "1", title: "Emma")
        .upsert(on: \.isbn, returning: \.id, in: db)
      #expect(upserted == 1)
      try #expect(Edition(isbn: "9").upsert(on: \.isbn, returning: \.id, in: db) == 4)

      let title = try Edition(id: 1, isbn: "1", title: "Dune").update(returning: \.title, in: db)
      #expect(title == "Dune")
      try #expect(Edition(id: 1).update(returning: \.note, in: db) == nil)
      try #expect(Edition(id: 77).update(returning: \.title, in: db) == nil)
    }
  }

  @Test
  func `insert(returning:) throws for a property with no column, or if a required value is NULL`()
    throws
  {
    struct Draft: TableRecord {
      var id: Int64?
      var text: String
      var length: Int { text.count }

      static let table = Table(
        "draft", Draft.init, Column("id", \.id).primaryKey(), Column("text", \.text))
    }
    try Database.inMemory().write { db in
      let null = #expect(throws: StorageError.self) {
        _ = try Edition(title: "Dune").insert(returning: \.rating, in: db)
      }
      #expect(null?.code == .decodingFailed)

      let undeclared = #expect(throws: StorageError.self) {
        _ = try Draft(text: "new").insert(returning: \.length, in: db)
      }
      #expect(undeclared?.code == .misuse)
      try #expect(Draft.fetchCount(in: db) == 0)
    }
  }

  @Test func `static methods of a record type write records and change rows by key`() throws {
    try Database.inMemory().write { db in
      let list = ["1", "2", "3"].map { Edition(isbn: $0, title: $0) }
      try #expect(Edition.insertAll(list, in: db) == 3)
      try #expect(Edition.insertAll(list, onConflict: .ignore, in: db) == 0)
      try #expect(Edition.insertEach([list[0], Edition(isbn: "4")], in: db).map(\.index) == [0])
      let more = try Edition.insertAllAndFetch([Edition(isbn: "5")], in: db)
      #expect(more.map(\.id) == [8])

      var changed = more[0]
      changed.title = "Emma"
      try #expect(Edition.updateAll([changed, Edition(id: 77)], only: \.title, in: db) == 1)
      try Edition.upsertAll([Edition(isbn: "5", title: "Walden")], on: \.isbn, in: db)
      let upserted = try Edition.upsertAllAndFetch([Edition(isbn: "5")], on: \.isbn, in: db)
      #expect(upserted.map(\.id) == [8])

      try #expect(Edition.update(key: 1, in: db) { $0.rating = 3 } == 1)
      let rated = try Edition.updateAndFetch(key: 1, in: db) { $0.rating = 4 }
      #expect(rated?.rating == 4)
      try #expect(Edition.update(keys: [1, 2, 77], in: db) { $0.rating = 5 } == 2)

      try #expect(Edition.delete(key: 1, in: db) == 1)
      try #expect(Edition.delete(keys: [1, 2, 77], in: db) == 1)
      try #expect(Edition.deleteAll(more, in: db) == 1)
      try #expect(Edition.truncate(in: db) == 2)
    }
  }

  @Test
  func `static methods of a record type insert, update, upsert and delete rows of virtual records`()
    throws
  {
    try Database.inMemory().write { db in
      var values: ColumnValues = ["title": .text("Dune")]
      try Edition.insert(from: values, in: db)
      try #expect(Edition.insert(from: values, returning: \.id, in: db) == 2)
      try #expect(Edition.insertAndFetch(from: values, in: db).id == 3)
      try Edition.insert(from: &values, in: db) { $0.isbn = "4" }
      #expect(values["id"] == .integer(4))
      #expect(values["isbn"] == .text("4"))

      values["title"] = .text("Emma")
      try #expect(Edition.update(from: values, in: db) == 1)
      try #expect(Edition.updateAndFetch(from: values, in: db)?.title == "Emma")
      try #expect(Edition.update(from: &values, in: db) { $0.rating = 5 } == 1)
      #expect(values["rating"] == .integer(5))

      let partial: ColumnValues = ["isbn": .text("4"), "note": .text("lent")]
      try Edition.upsert(from: partial, on: \.isbn, in: db)
      try #expect(Edition.upsertAndFetch(from: partial, on: \.isbn, in: db).title == "Emma")
      try #expect(Edition.upsert(from: partial, on: \.isbn, returning: \.id, in: db) == 4)
      try Edition.upsert(from: &values, on: \.isbn, in: db)
      #expect(values["note"] == .text("lent") || values["note"] == .null)

      try #expect(Edition.delete(from: values, in: db) == 1)
      try #expect(Edition.fetchCount(in: db) == 3)
    }
  }

  @Test
  func `an insert or upsert that a trigger cancels throws, even after many successful inserts`()
    throws
  {
    try Database.inMemory().write { db in
      // The first inserts also check the order of the columns.
      for number in 1...40 { try Edition(title: "\(number)").insert(in: db) }
      try db.execute("CREATE TABLE log(title TEXT)")
      try db.execute(
        "CREATE TRIGGER closed BEFORE INSERT ON edition BEGIN INSERT INTO log VALUES (new.title); SELECT RAISE(IGNORE); END"
      )

      for write in [{ try $0.insert(in: $1) }, { try $0.upsert(in: $1) }]
        as [(Edition, Connection) throws -> Void]
      {
        let error = #expect(throws: StorageError.self) { try write(Edition(title: "Emma"), db) }
        #expect(error?.code == .vetoed)
      }

      try #expect(db.fetchValue("SELECT count(*) FROM log", as: Int.self) == 2)
      try #expect(Edition.fetchCount(in: db) == 40)
    }
  }
}
