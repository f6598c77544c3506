import BehaviourTrait
import Foundation
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct QueryCommandSelectTests {
  @Test(.behaviour("A-WC-39"))
  func `the description of a select command is its SQL, and running the command returns rows`()
    throws
  {
    let database = try Volume.library()
    let command = QueryCommand.select(
      ["title", "rating"], from: "volume", where: "rating >= \(4)", orderBy: ["title DESC"],
      limit: 2, offset: 1)
    #expect(
      command.description
        == "SELECT \"title\", \"rating\" FROM \"volume\" WHERE rating >= ? ORDER BY title DESC LIMIT ? OFFSET ?"
    )

    let rows = try database.read { db in try command.fetchAll(in: db) }
    #expect(rows.map { $0["title"] } == [.text("Emma"), .text("Dune")])

    let counts = try database.read { db in
      try QueryCommand.select(
        "count(*)", from: "volume AS v", groupBy: ["rating"], having: "count(*) > \(1)"
      ).fetchAll(in: db) { row in try row[0] as Int }
    }
    #expect(counts == [2])

    #expect(QueryCommand.select(from: "a\"b").description == "SELECT * FROM \"a\"\"b\"")

    #expect(throws: StorageError.self) {
      try database.read { db in try QueryCommand([]).fetchAll(in: db) }
    }
  }

  @Test func `the description of a table query is its SQL`() {
    let query = Author.where { $0.name == "x" || $0.name.like("y") && $0.id > 3 }
      .order { $0.name.descending }.limit(5)

    #expect(
      query.command.description
        == "SELECT \"id\", \"name\" FROM \"author\" WHERE (\"author\".\"name\" = ?) OR ((\"author\".\"name\" LIKE ?) AND (\"author\".\"id\" > ?)) ORDER BY \"author\".\"name\" DESC LIMIT ?"
    )
  }
}
