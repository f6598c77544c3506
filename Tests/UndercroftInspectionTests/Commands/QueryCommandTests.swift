import Foundation
import TestSupport
import Testing

@Suite struct QueryCommandTests {
  @Test func `a statement about a store that cannot be read ends with the error of the store`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let settings = try home.makeUnreadable("preference")

      let answer = try home.run("query", "SELECT name FROM Preference")
      let plan = try home.run("query", "SELECT name FROM preference", "--explain")
      let json = try home.run("query", "SELECT name FROM preference", "--format", "json")

      let statuses = [answer.status, plan.status, json.status]
      #expect(statuses.allSatisfy { $0 == 77 }, "\(answer.errors)")
      for errors in [answer.errors, plan.errors, json.errors] {
        #expect(errors.contains(settings))
        #expect(!errors.contains("no such table"))
      }
      #expect(json.errors.contains(#""kind":"preference""#))
    }
  }

  @Test func `a statement about other stores runs if one store cannot be read`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let settings = try home.makeUnreadable("preference")

      let answer = try home.run(
        "query", "SELECT count(*) FROM record.book", "--format", "tsv", "--no-header")
      let mistyped = try home.run("query", "SELECT count(*) FROM record.bok")

      #expect(answer.output == "3\n")
      #expect(answer.errors.contains(settings))
      #expect(mistyped.status == 64)
      #expect(mistyped.errors.contains("did you mean"))
      #expect(!mistyped.errors.contains(settings))
    }
  }

  @Test func `a table that no readable store has is reported with all stores that cannot be read`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let paths = try ["preference", "record"].map { try home.makeUnreadable($0) }

      let table = try home.run("query", "SELECT title FROM book")
      let qualified = try home.run("query", "SELECT title FROM record.book")

      #expect([table.status, qualified.status].allSatisfy { $0 == 77 })
      #expect(table.errors.contains("no such table: book"))
      #expect(paths.allSatisfy { table.errors.contains($0) }, "\(table.errors)")
      #expect(qualified.errors.contains(paths[1]))
      #expect(!qualified.errors.contains(paths[0]))
      #expect(!qualified.errors.contains("no such table"))
    }
  }

  @Test func `a statement about a confidential store is refused with the path of the store`() throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let key = directory.appending(path: "keys/vault.key").path

      let locked = try home.run("query", "SELECT * FROM secret")
      let unlocked = try home.run("query", "SELECT * FROM secret", "--key-file", key)

      for answer in [locked, unlocked] {
        #expect(answer.status == 77)
        #expect(answer.errors.contains("secrets/vault\" is confidential"), "\(answer.errors)")
        #expect(answer.errors.contains("with --reveal --yes to show a value"), "\(answer.errors)")
        #expect(!(answer.output + answer.errors).contains("s3cret"))
      }
    }
  }

  @Test func `a table that two kinds have needs the name of a kind, as for rows`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "home"))
      let branch = try SampleHome(at: directory.appending(path: "branch"))
      let attachment = "branch=\(branch.url.path)"

      let answer = try home.run("query", "SELECT title FROM book", "--attach", attachment)
      let qualified = try home.run(
        "query", "SELECT title FROM branch_record.book", "--attach", attachment)

      #expect(answer.status == 64)
      #expect(
        answer.errors.contains("`record.book` or `branch_record.book`"), "\(answer.errors)")
      #expect(qualified.status == 0, "\(qualified.errors)")
    }
  }

  @Test func `a home can have more databases than one statement can read`() throws {
    try withTemporaryDirectory { directory in
      let home = try BranchHome(at: directory, branchCount: 12) { branch in
        "CREATE TABLE book(title TEXT); INSERT INTO book VALUES ('Emma of \(branch)')"
      }
      let path = home.url.path

      let book = try run("query", path, "SELECT title FROM branch12.book", "--format", "ndjson")
      let plan = try run("query", path, "SELECT title FROM branch12.book", "--explain")
      let ambiguous = try run("query", path, "SELECT title FROM book")
      let all = try run("query", path, "PRAGMA table_list")

      #expect(book.output == "{\"title\":\"Emma of branch12\"}\n", "\(book.errors)")
      #expect(plan.status == 0, "\(plan.errors)")
      #expect(ambiguous.status == 64)
      #expect(ambiguous.errors.contains("and 2 more has a table named"), "\(ambiguous.errors)")
      #expect(all.status == 64)
      #expect(all.errors.contains("the statement needs 12 databases"), "\(all.errors)")
    }
  }

  @Test(arguments: ["-- all books\n", "--all books\n"])
  func `a statement can begin with a comment`(comment: String) throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let answer = try home.run(
        "query", comment + "SELECT count(*) FROM record.book", "--format", "tsv", "--no-header")

      #expect(answer.output == "3\n", "\(answer.errors)")
    }
  }

  @Test func `a comment without a statement is reported as a missing statement`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let answer = try home.run("query", "-- all books")

      #expect(answer.status == 64)
      #expect(answer.errors.contains("the SQL contains no statement"), "\(answer.errors)")
    }
  }

  #if !canImport(Darwin)  // The system library may not count its memory.
    @Test(.timeLimit(.hangLimit))
    func `a statement that sorts more than the memory limit is reported as wrong usage`() throws {
      try withTemporaryDirectory { directory in
        let home = try SampleHome(at: directory)

        let answer = try home.run(
          "query",
          """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000)
          SELECT i FROM n ORDER BY hex(zeroblob(4000000 + i)), i LIMIT 2000
          """, "--time-limit", "0")

        #expect(answer.status == 64)
        #expect(answer.errors.contains("out of memory"), "\(answer.errors)")
        #expect(answer.errors.contains("sort fewer rows"))
      }
    }
  #endif
}
