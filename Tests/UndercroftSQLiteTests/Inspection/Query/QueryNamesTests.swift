import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

/// Tests of the errors of statements that are not valid.
@Suite struct QueryNamesTests {
  private func stores(in directory: URL) throws -> [QueriedStore] {
    let url = directory.appending(path: "library")
    try QueriedLibrary.fill(url)
    return [
      try QueriedLibrary.database("library", url),
      try QueriedLibrary.store("note", RecordingStore(texts: [("1", "late")])),
    ]
  }

  @Test(arguments: [
    ("SELECT * FROM library.bok", "did you mean `library.book`?"),
    ("SELECT * FROM LOANS", "did you mean `library.loan`?"),
    ("SELECT * FROM notes", "did you mean `note`?"),
  ])
  func `the error of an unknown table suggests the most similar table`(
    sql: String, suggestion: String
  ) throws {
    try withTemporaryDirectory { directory in
      let error = QueriedLibrary.error(sql, try stores(in: directory))

      #expect(error?.code == .misuse)
      #expect(error?.suggestion?.contains(suggestion) == true)
      let others = sql.contains("library.") ? "" : "`note`, "
      #expect(
        error?.suggestion?.contains(
          "the tables are \(others)`library.book`, `library.loan`, `library.old_book`") == true)
    }
  }

  @Test func `the error of an unknown table lists at most ten tables`() throws {
    let note = RecordingStore(texts: [])
    let stores = try (10..<22).map { try QueriedLibrary.store("shelf\($0)", note) }

    let error = QueriedLibrary.error("SELECT * FROM quite_another_name", stores)

    #expect(error?.suggestion?.hasPrefix("the tables are `shelf10`, ") == true)
    #expect(error?.suggestion?.hasSuffix("`shelf19` and 2 more") == true)
  }

  @Test func `the error of an unknown column suggests the columns of the tables`() throws {
    try withTemporaryDirectory { directory in
      let error = QueriedLibrary.error(
        "SELECT titel FROM library.book", try stores(in: directory))

      #expect(error?.code == .misuse)
      #expect(error?.suggestion?.contains("did you mean `title`?") == true)
      #expect(
        error?.suggestion?.contains("the columns of `library.book` are `id`, `title`, `year`")
          == true)
    }
  }

  @Test func `the error of a text in double quotes suggests single quotes`() throws {
    try withTemporaryDirectory { directory in
      let error = QueriedLibrary.error(
        "SELECT value FROM note WHERE name = \"Emma\"", try stores(in: directory))

      #expect(error?.suggestion?.contains("in single quotes") == true)
      #expect(error?.suggestion?.contains("`name`, `value`, `bytes`") == true)
    }
  }

  @Test func `the error of wrong SQL marks the position`() throws {
    try withTemporaryDirectory { directory in
      let error = QueriedLibrary.error(
        "SELECT 'É' FORM note", try stores(in: directory))

      #expect(error?.code == .misuse)
      #expect(error?.message.contains("near \"note\": syntax error") == true)
      #expect(error?.message.contains("at the character 17") == true)
      #expect(error?.message.contains("`SELECT 'É' FORM ▸note`") == true)
    }
  }

  @Test(arguments: [
    ("SELECT titl(1)", "the functions that an application defines"),
    ("SELECT name FROM note JOIN note AS other", "the name of the table before the column"),
    ("SELECT (1", "complete the SQL"),
  ])
  func `the error of a statement that is not valid suggests a correction`(
    sql: String, suggestion: String
  ) throws {
    try withTemporaryDirectory { directory in
      let error = QueriedLibrary.error(sql, try stores(in: directory))

      #expect(error?.code == .misuse)
      #expect(error?.suggestion?.contains(suggestion) == true)
    }
  }

  @Test func `an error during the run shows the statement`() throws {
    let error = QueriedLibrary.error("SELECT abs(-9223372036854775807 - 1)", [])

    #expect(error?.code == .misuse)
    #expect(error?.message.contains("integer overflow") == true)
    #expect(error?.message.contains("`SELECT abs(-9223372036854775807 - 1)`") == true)
  }
}
