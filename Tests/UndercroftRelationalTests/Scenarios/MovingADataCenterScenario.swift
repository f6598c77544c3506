import Foundation
import TestSupport
import Testing
import UndercroftRelational
import UndercroftSQLite

/// A scenario in which a data center and its tables are reused in another application, with another
/// database.
///
/// A single table can also be reused without its data center.
@Suite struct MovingADataCenterScenario {
  // The reused code: a table and a data center. Neither knows the location of the database.
  struct Note: TableRecord, Equatable {
    var id: Int64?
    var text: String

    static let table = Table(
      "note", Note.init, Column("id", \.id).primaryKey(), Column("text", \.text))
  }

  struct Notes: DataCenter {
    let database: Database
    static let tables: Tables = [Note.self]

    func write(down text: String) throws -> Note {
      try write { db in try Note(text: text).insertAndFetch(in: db) }
    }

    func all() throws -> [String] {
      try read { db in try Note.order { $0.id }.fetchAll(in: db).map(\.text) }
    }
  }

  // Two applications. Each opens its database in one place and passes it on. A screen has its data
  // center.
  struct Reading {
    let notes: Notes
  }

  struct Kitchen {
    let notes: Notes
    let database: Database
  }

  @Test
  func `one DataCenter type can be used by two applications, in memory and with a file`() throws {
    try withTemporaryDirectory { directory in
      let reading = Reading(notes: Notes(database: try .inMemory()))
      let file = directory.appending(path: "kitchen.sqlite")
      let database = try Database(at: file)
      // The second application has tables of its own.
      try database.write { db in _ = try Book.table.insertAndFetch(Book(title: "Cookery"), in: db) }
      let kitchen = Kitchen(notes: Notes(database: database), database: database)
      try kitchen.notes.prepare()

      for notes in [reading.notes, kitchen.notes] {
        _ = try notes.write(down: "first")
        _ = try notes.write(down: "second")
      }

      #expect(try reading.notes.all() == ["first", "second"])
      try kitchen.database.close()

      let again = try Database(at: file)
      #expect(try Notes(database: again).all() == ["first", "second"])
      #expect(try again.read { db in try Book.fetchCount(in: db) } == 1)
      try again.close()
    }
  }

  @Test func `a table can be used without its data center to copy records to another database`()
    throws
  {
    let (old, new) = (try Database.inMemory(), try Database.inMemory())
    _ = try Notes(database: old).write(down: "kept")

    // Records read from one database are values that can be written to another one.
    let notes = try old.read { db in try Note.fetchAll(in: db) }
    try new.write { db in try Note.table.insertAll(notes, in: db) }

    #expect(try Notes(database: new).all() == ["kept"])
  }
}
