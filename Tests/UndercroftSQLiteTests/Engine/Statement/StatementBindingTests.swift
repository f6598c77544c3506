import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of the values that are bound to the placeholders of a prepared statement.
@Suite struct StatementBindingTests {
  @Test(.behaviour("A-FM-23"))
  func `values of each type are bound and read back unchanged, and nil is bound as NULL`() throws {
    let database = try Library.withTypedColumns()
    let cover = Data([0, 1, 255])
    try database.write { db in
      try db.prepare("INSERT INTO book VALUES (?, ?, ?, ?, ?)") { insert in
        try insert.bind("Dune\0II", at: 1)
        try insert.bind(Int64.min, at: 2)
        try insert.bind(0.1, at: 3)
        try insert.bind(true, at: 4)
        try insert.bind(cover, at: 5)
        try insert.run()
        try insert.bind(nil as String?, at: 1)
        try insert.bind(nil as Int?, at: 2)
        try insert.bind(nil as Double?, at: 3)
        try insert.bind(nil as Bool?, at: 4)
        try insert.bind(nil as Data?, at: 5)
        try insert.run()
        try insert.bind("", at: 1)
        try insert.bind(Data(), at: 5)
        try insert.run()
      }
    }
    try database.read { db in
      var count = 0
      try db.prepare("SELECT * FROM book ORDER BY rowid") { all in
        try all.forEach { row in
          let values = [
            try row[0] as SQLValue, try row[1], try row[2], try row[3], try row[4],
          ]
          switch count {
          case 0:
            let first: [SQLValue] = [
              .text("Dune\0II"), .integer(.min), .real(0.1), .integer(1), .blob(cover),
            ]
            #expect(values == first)
          case 1: #expect(values == Array(repeating: .null, count: 5))
          default:
            #expect(values.first == .text(""))
            #expect(values.last == .blob(Data()))
          }
          count += 1
        }
      }
      #expect(count == 3)
    }
  }

  @Test(arguments: [0, -1, 3, Int.max])
  func `binding to a position without a placeholder throws a misuse error`(position: Int) throws {
    let database = try Library.withTypedColumns()
    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        try db.prepare("INSERT INTO book(title, pages) VALUES (?, ?)") { insert in
          try insert.bind("Dune", at: position)
        }
      }
    }
    #expect(error?.code == .misuse)
  }

  @Test func `binding NaN throws an encoding error`() throws {
    let database = try Library.withTypedColumns()
    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        try db.prepare("INSERT INTO book(weight) VALUES (?)") { try $0.bind(Double.nan, at: 1) }
      }
    }
    #expect(error?.code == .encodingFailed)
  }

  private enum Genre: String, SQLBindable, SQLReadable { case novel, essay }

  @Test func `every SQLBindable type can be bound to a placeholder`() throws {
    let database = try Library.withTypedColumns()
    let (date, id, none) = (Date(timeIntervalSince1970: 1), UUID(), Genre?.none)
    try database.read { db in
      try db.prepare("SELECT ?, ?, ?, ?, ?, ?, ?") { all in
        try all.bind(Genre.novel, at: 1)
        try all.bind(.text("Emma") as SQLValue, at: 2)
        try all.bind(date, at: 3)
        try all.bind(id, at: 4)
        try all.bind(UInt8(7), at: 5)
        try all.bind(none, at: 6)
        try all.bind(Float(0.5), at: 7)
        _ = try all.fetchOne { (row: borrowing Row) throws in
          #expect(try row[0] == Genre.novel)
          #expect(try row[1] == "Emma")
          #expect(try row[2] == date)
          #expect(try row[3] == id)
          #expect(try row[4] == 7)
          #expect(try row[5] as Genre? == nil)
          #expect(try row[6] == 0.5)
        }
      }
    }
  }

  @Test func `binding to a missing placeholder throws an error with the number of placeholders`()
    throws
  {
    let database = try Library.withTypedColumns()
    try database.read { db in
      try db.prepare("SELECT ?") { statement in
        for position in [0, 2, .max] {
          let error = #expect(throws: StorageError.self) { try statement.bind(1, at: position) }
          #expect(error?.code == .misuse)
          #expect(
            error?.message.contains(
              "counted from 1: the statement `SELECT ?` has 1 placeholder") == true)
        }
      }
    }
  }

  @Test(.behaviour("A-FM-19"))
  func `binding a value that is too large throws, and the statement remains usable`() throws {
    let database = try Database.inMemory(.init(maximumValueByteCount: 1_000_000))
    try database.write { db in
      try db.execute("CREATE TABLE book(title TEXT, cover BLOB)")
      try db.prepare("INSERT INTO book VALUES (?, ?)") { insert in
        try insert.bind("Dune", at: 1)
        let blob = #expect(throws: StorageError.self) {
          try insert.bind(Data(count: 1_000_001), at: 2)
        }
        let text = #expect(throws: StorageError.self) {
          try insert.bind(String(repeating: "e", count: 1_000_001), at: 1)
        }
        #expect(blob?.code == .tooLarge)
        #expect(text?.code == .tooLarge)
        try insert.bind("Emma", at: 1)
        try insert.bind(Data(count: 900), at: 2)
        try insert.run()
      }
      #expect(try db.fetchValue("SELECT length(cover) FROM book WHERE title = 'Emma'") == 900)
      #expect(throws: StorageError.self) {
        try db.execute("UPDATE book SET cover = \(Data(count: 1_000_001))")
      }
    }
  }

  @Test(.behaviour("A-FM-21"))
  func `bind accepts an array or a dictionary, and binds no value of an incomplete dictionary`()
    throws
  {
    let database = try Library.withTypedColumns()
    try database.write { db in
      try db.prepare("INSERT INTO book(title, pages, weight) VALUES (:title, @pages, $weight)") {
        insert in
        try insert.bind(["Dune", 412, 0.5])
        try insert.run()
        try insert.bind(["title": "Emma", "@pages": 474, "weight": 0.4, "extra": "left aside"])
        try insert.run()
        let refused: [[String: any SQLBindable]] = [["title": "Ulysses", "pages": 1], [:]]
        for values in refused {
          let error = #expect(throws: StorageError.self) { try insert.bind(values) }
          #expect(error?.code == .misuse)
        }
        try insert.run()
      }
      try db.prepare("SELECT ?, :title") { mixed in
        _ = #expect(throws: StorageError.self) { try mixed.bind(["title": "Emma"]) }
      }
    }
    let titles = try database.read { db in
      try db.fetchAll("SELECT title || pages FROM book ORDER BY rowid") { try $0[0] as String }
    }

    #expect(titles == ["Dune412", "Emma474", "Emma474"])
  }

  @Test(.behaviour("A-FM-21", "A-FM-22"))
  func `binding an array with too few or too many values throws a misuse error`() throws {
    let database = try Library.withTypedColumns()
    try database.write { db in
      try db.prepare("SELECT ?, ?") { pair in
        for values in [[], [1], [1, 2, 3]] as [[any SQLBindable]] {
          let error = #expect(throws: StorageError.self) { try pair.bind(values) }
          #expect(error?.code == .misuse)
        }
      }
    }
  }

  private static func text(of statement: borrowing Statement) throws -> String? {
    try statement.fetchOne { row in try row[0] as String }
  }

  @Test(.behaviour("A-FM-26"))
  func `placeholders can be bound again by position, by array and by name`() throws {
    let database = try Library.withTypedColumns()
    try database.write { db in
      try db.prepare("SELECT :title || ' of ' || :shelf") { join in
        try join.bind(["Dune", "A1"])
        let text1 = try Self.text(of: join)
        #expect(text1 == "Dune of A1")
        try join.bind(["title": "Emma", ":shelf": "B2"])
        let text2 = try Self.text(of: join)
        #expect(text2 == "Emma of B2")
        try join.bind("C3", named: "shelf")
        let text3 = try Self.text(of: join)
        #expect(text3 == "Emma of C3")
        try join.bind("Ulysses", named: ":title")
        try join.bind("D4", at: 2)
        let text4 = try Self.text(of: join)
        #expect(text4 == "Ulysses of D4")
        for name in ["author", "@title", "", ":", "titl", "title\0"] {
          let error = #expect(throws: StorageError.self) { try join.bind("x", named: name) }
          #expect(error?.code == .misuse)
        }
      }
      try db.prepare("SELECT :title, @title") { doubtful in
        #expect(throws: StorageError.self) { try doubtful.bind("x", named: "title") }
        try doubtful.bind("x", named: "@title")
      }
    }
  }

  @Test(.behaviour("A-FM-25"))
  func `changing or releasing a variable after binding its value does not change the bound value`()
    throws
  {
    let database = try Library.withTypedColumns()
    try database.write { db in
      try db.prepare("SELECT ?, ?") { pair in
        do {
          var cover = Data(repeating: 7, count: 100_000)
          var title = String(repeating: "Dune ", count: 1000)
          try pair.bind(cover, at: 1)
          try pair.bind(title, at: 2)
          cover.resetBytes(in: 0..<100_000)
          title.removeAll()
        }
        _ = try pair.fetchOne { row in
          let cover: Data = try row[0]
          let title: String = try row[1]
          #expect(cover == Data(repeating: 7, count: 100_000))
          #expect(title == String(repeating: "Dune ", count: 1000))
        }
      }
    }
  }

  @Test func `a nil literal without a type is bound as NULL`() throws {
    let database = try Library.withTypedColumns()
    try database.write { db in
      try db.prepare("INSERT INTO book(title, pages) VALUES (:title, :pages)") { insert in
        try insert.bind(nil, at: 1)
        try insert.bind(412, at: 2)
        try insert.run()
        try insert.bind("Emma", named: "title")
        try insert.bind(nil, named: ":pages")
        try insert.run()
        try insert.bind(["Dune", nil])
        try insert.run()
        try insert.bind([nil, 474])
        try insert.run()
        try insert.bind(["title": nil, "pages": nil])
        try insert.run()
        try insert.bind(["title": "Ulysses", "pages": nil])
        try insert.run()
        let title: String? = nil
        try insert.bind([title, "7"])
        try insert.bind(title, at: 1)
        try insert.bind(SQLNull(), at: 2)
        try insert.run()
        #expect(throws: StorageError.self) { try insert.bind(nil, at: 3) }
        #expect(throws: StorageError.self) { try insert.bind(nil, named: "shelf") }
        #expect(throws: StorageError.self) { try insert.bind(["title": nil]) }
      }
      let stored = try db.fetchAll("SELECT title, pages FROM book ORDER BY rowid") { row in
        [try row[0] as SQLValue, try row[1]]
      }
      let expected: [[SQLValue]] = [
        [.null, .integer(412)], [.text("Emma"), .null], [.text("Dune"), .null],
        [.null, .integer(474)], [.null, .null], [.text("Ulysses"), .null], [.null, .null],
      ]
      #expect(stored == expected)
    }
  }
}
