import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of names and strings that are equal in Swift but not in SQLite: "é" as one scalar and as
/// two scalars.
@Suite(.timeLimit(.hangLimit)) struct EquivalentNameTests {
  private let composed = "caf\u{e9}"
  private let decomposed = "cafe\u{301}"

  @Test func `a row dictionary has an entry for each of two canonically equivalent column names`()
    throws
  {
    try Database.inMemory().read { db in
      let sql: SQL = "SELECT 1 AS \(identifier: composed), 2 AS \(identifier: decomposed)"
      let row = try #require(try db.fetchOne(sql) { row in try row.dictionary() })
      #expect(row.count == 2)
      #expect(
        row.first { $0.key.description.utf8.elementsEqual(composed.utf8) }?.value == .integer(1))
      #expect(
        row.first { $0.key.description.utf8.elementsEqual(decomposed.utf8) }?.value == .integer(2))
      let twice = #expect(throws: StorageError.self) {
        try db.fetchOne("SELECT 1 AS a, 2 AS a") { row in try row.dictionary() }
      }
      #expect(twice?.message.contains("several columns are called \"a\"") == true)
    }
  }

  @Test
  func
    `a statement throws if its parameter's value was passed under a canonically equivalent name`()
    throws
  {
    try Database.inMemory().read { db in
      for sign in ["", ":"] {
        let given: [String: (any SQLBindable)?] = [sign + composed: 1]
        let own = SQL(SQL(unchecked: "SELECT :\(composed)"), binding: given)
        #expect(try db.fetchValue(own, as: Int.self) == 1)
        let other = SQL(SQL(unchecked: "SELECT :\(decomposed)"), binding: given)
        let error = #expect(throws: StorageError.self) { try db.fetchValue(other, as: Int?.self) }
        #expect(error?.code == .misuse)
        #expect(error?.message.contains("has no value") == true)
        try db.prepare(SQL(unchecked: "SELECT :\(decomposed)")) { (statement) throws in
          let error = #expect(throws: StorageError.self) { try statement.bind(given) }
          #expect(error?.message.contains("no value was passed for") == true)
        }
        try db.prepare(SQL(unchecked: "SELECT :\(composed)")) { statement in
          try statement.bind(given)
          #expect(try statement.fetchOne { row in try row[0] as Int } == 1)
        }
      }
    }
  }

  @Test func `an observed query yields a string that changed only in its Unicode normalisation`()
    async throws
  {
    let database = try Database.inMemory()
    let (composed, decomposed) = (composed, decomposed)
    try database.write { db in
      try db.execute("CREATE TABLE book(title TEXT)")
      try db.execute("INSERT INTO book VALUES (\(composed))")
    }
    var texts = database.values { db in
      try db.fetchAll("SELECT title FROM book") { row in try row[0] as String }
    }.makeAsyncIterator()
    var found = database.values { db in
      ["title": try db.fetchOne("SELECT title FROM book") { row in try row[0] as String }]
    }.makeAsyncIterator()
    var one = database.values { db in
      try db.fetchValue("SELECT title FROM book", as: String.self)
    }.makeAsyncIterator()
    for text in [composed, decomposed, composed] {
      try await database.async.write { db in try db.execute("UPDATE book SET title = \(text)") }
      #expect(try await texts.next().map { $0.map { Array($0.utf8) } } == [Array(text.utf8)])
      #expect(
        try await found.next().map { Array((($0["title"] ?? nil) ?? "").utf8) } == Array(text.utf8))
      #expect(try await one.next().map { Array($0.utf8) } == Array(text.utf8))
    }
  }
}
