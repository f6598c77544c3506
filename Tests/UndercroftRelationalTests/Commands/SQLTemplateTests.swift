import BehaviourTrait
import Foundation
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct SQLTemplateTests {
  @Test(.behaviour("A-CT-W01"), .behaviour("A-CT-W03"))
  func `binding needs the exact parameter name, and a query with an unbound parameter throws`()
    throws
  {
    let sql = SQL(":key + :keyvalue + :key_value + :k", binding: ["key": 1])
    #expect(sql.text == "? + :keyvalue + :key_value + :k")
    #expect(sql.arguments == [.integer(1)])
    #expect(SQL("a = :key", binding: [:]).text == "a = :key")

    let database = try Database.inMemory()
    for sql in [sql, SQL("SELECT :key", binding: [:])] {
      let error = #expect(throws: StorageError.self) {
        try database.read { db in try db.fetchAll(sql) { _ in } }
      }
      #expect(error?.code == .misuse)
      #expect(error?.message.contains("the parameter") == true)
    }
  }

  @Test(.behaviour("A-CT-W02"))
  func `every occurrence of a parameter is bound, and values without a parameter are ignored`()
    throws
  {
    let sql = SQL(
      "SELECT :a, @b, $c, :a, \(7)", binding: ["a": 1, "@b": "x", "c": nil, "d": 9])
    #expect(sql.text == "SELECT ?, ?, ?, ?, ?")
    #expect(
      sql.arguments == [.integer(1), .text("x"), .null, .integer(1), .integer(7)])
  }

  @Test(.behaviour("A-CT-W04"))
  func `parameters in strings, quoted names and comments are not bound`() throws {
    let text = """
      SELECT 'it''s :a', "x:a""y :a", `:a`, [:a], a$a -- :a
      , /* :a */ 1
      """
    let sql = SQL(SQL(unchecked: text + " + :a"), binding: ["a": 5])
    #expect(sql.text == text + " + ?")
    #expect(sql.arguments == [.integer(5)])
    #expect(SQL("':a", binding: ["a": 1]).text == "':a")
    #expect(SQL("/* :a", binding: ["a": 1]).text == "/* :a")
  }

  @Test(.behaviour("A-CT-W05"))
  func `a parameter cannot be a table name, and an interpolated identifier is quoted`()
    throws
  {
    let database = try Volume.library()
    try database.read { db in
      let hostile = "volume; DROP TABLE volume"
      #expect(throws: StorageError.self) {
        try db.fetchAll(SQL("SELECT * FROM :table", binding: ["table": "volume"])) { _ in }
      }
      #expect(throws: StorageError.self) {
        try db.fetchAll("SELECT * FROM \(identifier: hostile)") { _ in }
      }
      let title = "title"
      let sql = SQL("SELECT \(identifier: title) FROM volume WHERE id = :id", binding: ["id": 1])
      try #expect(db.fetchAll(sql) { row in try row[0] as String } == ["Dune"])
    }
  }

  @Test(.behaviour("A-CT-F09"))
  func `a bound string is converted to the type of the column that it is compared with`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try Author.table.insertAll((1...30).map { Author(name: "author \($0)") }, in: db)

      let between = SQL(
        "id > :minValue AND id < :maxValue", binding: ["minValue": 10, "maxValue": "20"])
      #expect(try Author.where(between).fetchCount(in: db) == 9)
    }
  }

  @Test(.behaviour("A-CT-F10"), .behaviour("A-CT-F11"))
  func `reading records by SQL throws if a parameter is unbound or the SQL is empty`() throws {
    let database = try Volume.library()
    try database.read { db in
      let named = SQL("SELECT * FROM volume WHERE title = :title", binding: ["title": "Emma"])
      try #expect(Volume.fetchAll(sql: named, in: db).map(\.id) == [2])
      try #expect(Volume.fetchAll(sql: "SELECT * FROM volume", in: db).count == 5)

      let missing = SQL("SELECT * FROM volume WHERE title = :title", binding: ["name": "Emma"])
      #expect(throws: StorageError.self) { try Volume.fetchAll(sql: missing, in: db) }
      #expect(throws: StorageError.self) {
        try Volume.fetchAll(sql: "SELECT * FROM volume WHERE title = :title", in: db)
      }
      #expect(throws: StorageError.self) { try Volume.fetchAll(sql: "", in: db) }
    }
  }
}
