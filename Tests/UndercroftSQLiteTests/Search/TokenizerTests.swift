import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftTesting

@Suite struct TokenizerTests {
  /// A tokenizer that emits words in lower case without a plural "s", and optionally "bookcase" as
  /// a synonym of "shelve".
  private struct Depluralising: FullTextTokenizer {
    private let synonyms: Bool

    init(arguments: [String]) throws {
      guard arguments.allSatisfy({ $0 == "synonyms" }) else { throw Refusal() }
      synonyms = !arguments.isEmpty
    }

    func tokenize(
      _ text: String, for purpose: FullTextTokenizerPurpose, emit: (FullTextToken) throws -> Void
    ) throws {
      for word in text.split(whereSeparator: { !$0.isLetter }) {
        let begin = text.utf8.distance(from: text.startIndex, to: word.startIndex)
        var form = word.lowercased()
        if form == "forbidden" { throw Refusal() }
        if form.count > 3, form.hasSuffix("s") { form.removeLast() }
        try emit(FullTextToken(form, at: begin..<(begin + word.utf8.count)))
        if synonyms, purpose == .document, form == "shelve" {
          try emit(
            FullTextToken("bookcase", at: begin..<(begin + word.utf8.count), isSynonym: true))
        }
      }
    }
  }

  private struct Refusal: Error {}

  /// A tokenizer that emits tokens at the byte ranges that the text lists as numbers.
  private struct Dictated: FullTextTokenizer {
    init(arguments: [String]) {}

    func tokenize(
      _ text: String, for purpose: FullTextTokenizerPurpose, emit: (FullTextToken) throws -> Void
    ) throws {
      let numbers = text.split(separator: " ").compactMap { Int($0) }
      for (from, to) in zip(numbers, numbers.dropFirst()) where to >= from {
        // A refused token must fail the statement even if the tokenizer ignores the error.
        try? emit(FullTextToken("x", at: from..<to))
      }
    }
  }

  private func library(_ arguments: String = "") throws -> Database {
    let database = try Database.inMemory(
      .init(setUp: { db in
        try db.add(Depluralising.self, named: "plural")
        try db.add(Dictated.self, named: "dictated")
      }))
    try database.write { db in
      if arguments.isEmpty {
        try db.execute("CREATE VIRTUAL TABLE book USING fts5(title, tokenize = 'plural')")
      } else {
        try db.execute("CREATE VIRTUAL TABLE book USING fts5(title, tokenize = 'plural synonyms')")
      }
      for title in ["Grüße from Émile's Libraries", "A Library Card", "図書 Shelves 👩‍🏫 of Books"] {
        try db.execute("INSERT INTO book VALUES (\(title))")
      }
    }
    return database
  }

  private func found(_ query: String, in database: Database) throws -> [String] {
    try database.read { db in
      try db.fetchAll(
        "SELECT highlight(book, 0, '[', ']') FROM book WHERE book MATCH \(FullTextQuery(matchingAll: query)) ORDER BY rowid"
      ) { row in try row[0] as String }
    }
  }

  @Test(.behaviour("A-FM-54"))
  func `a tokenizer written in Swift determines matches and highlights in multi-byte text`()
    throws
  {
    let database = try library()
    #expect(try found("BOOK", in: database) == ["図書 Shelves 👩‍🏫 of [Books]"])
    #expect(try found("books", in: database) == ["図書 Shelves 👩‍🏫 of [Books]"])
    #expect(try found("émile", in: database) == ["Grüße from [Émile]'s Libraries"])
    #expect(try found("shelve 図書", in: database) == ["[図書] [Shelves] 👩‍🏫 of Books"])
    #expect(try found("Librarie", in: database) == ["Grüße from Émile's [Libraries]"])
    #expect(try found("bookcase", in: database) == [])

    let snippet = try database.read { db in
      try db.fetchValue(
        "SELECT snippet(book, 0, '<', '>', '…', 2) FROM book WHERE book MATCH 'card'")
        as String?
    }
    #expect(snippet == "…Library <Card>")
  }

  @Test(.behaviour("A-FM-54"))
  func `a tokenizer receives its arguments, and a search for a synonym finds the indexed word`()
    throws
  {
    let database = try library("synonyms")
    #expect(try found("bookcase", in: database) == ["図書 [Shelves] 👩‍🏫 of Books"])
    #expect(throws: Refusal.self) {
      try database.write { db in
        try db.execute("CREATE VIRTUAL TABLE other USING fts5(title, tokenize = 'plural nonsense')")
      }
    }
  }

  @Test(.behaviour("A-FM-54"))
  func `a write can add a tokenizer, and creating a table with an unknown tokenizer throws`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try db.add(Depluralising.self, named: "late")
      try db.execute("CREATE VIRTUAL TABLE book USING fts5(title, tokenize = 'late')")
      try db.execute("INSERT INTO book VALUES ('Books')")
      #expect(try db.fetchValue("SELECT title FROM book WHERE book MATCH 'book'") == "Books")
    }

    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        try db.execute("CREATE VIRTUAL TABLE other USING fts5(title, tokenize = 'absent')")
      }
    }
    #expect(error?.code == .misuse)
  }

  @Test func `an error thrown by a tokenizer reaches the caller of a write and of a search`() throws
  {
    let database = try library()
    #expect(throws: Refusal.self) {
      try database.write { db in try db.execute("INSERT INTO book VALUES ('a forbidden word')") }
    }
    #expect(throws: Refusal.self) { try found("forbidden", in: database) }
    #expect(try found("card", in: database) == ["A Library [Card]"])
  }

  @Test func `invalid UTF-8 is tokenised without a trap, and token offsets remain correct`() throws
  {
    let database = try library()
    var random = SeededGenerator(seed: 54)
    try database.write { db in
      for _ in 0..<500 {
        let bytes =
          RandomValue.bytes(&random, upTo: 10) + Data(" Quill ".utf8)
          + RandomValue.bytes(&random, upTo: 10)
        try db.execute("INSERT INTO book VALUES (CAST(\(bytes) AS TEXT))")
        let marked = try db.fetchOne(
          "SELECT CAST(highlight(book, 0, '[', ']') AS BLOB) FROM book WHERE rowid = \(db.lastInsertedRowID) AND book MATCH 'quill'"
        ) { row in try row[0] as Data }
        // FTS5's highlight ends a text at NUL.
        if !bytes.contains(0) {
          #expect(marked.map { $0.range(of: Data(" [Quill] ".utf8)) } != .some(nil))
        }
      }
    }
  }

  @Test(arguments: [
    "0 99", "-1 2", "3 5 1 2", "9223372036854775806 9223372036854775807", "0 1 -5 -4",
  ])
  func `a tokenizer that returns a token outside the text or out of order causes a misuse error`(
    text: String
  ) throws {
    let database = try library()
    try database.write { db in
      try db.execute("CREATE VIRTUAL TABLE dictated USING fts5(title, tokenize = 'dictated')")
    }

    let error = #expect(throws: StorageError.self) {
      try database.write { db in try db.execute("INSERT INTO dictated VALUES (\(text))") }
    }
    #expect(error?.code == .misuse)
  }

  @Test
  func `the error for a missing tokenizer names the tokenizer and mentions the setUp closure`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(
        at: url, .init(setUp: { db in try db.add(Depluralising.self, named: "plural") }))
      try database.write { db in
        try db.execute("CREATE VIRTUAL TABLE book USING fts5(title, tokenize = 'plural')")
      }
      try database.close()

      let error = #expect(throws: StorageError.self) {
        try Database(at: url).read { db in try db.fetchAll("SELECT * FROM book") { _ in 1 } }
      }
      #expect(error?.message.contains("no such tokenizer: plural") == true)
      #expect(error?.message.contains("setUp") == true)
    }
  }

  private struct Whole: FullTextTokenizer {
    init(arguments: [String]) {}

    func tokenize(
      _ text: String, for purpose: FullTextTokenizerPurpose, emit: (FullTextToken) throws -> Void
    ) throws {
      try emit(FullTextToken(text, at: 0..<text.utf8.count))
    }
  }

  @Test func `adding a tokenizer replaces an earlier tokenizer of the same name`() throws {
    try Database.inMemory().write { db in
      try db.add(Depluralising.self, named: "plural")
      try db.add(Whole.self, named: "plural")
      try db.execute("CREATE VIRTUAL TABLE book USING fts5(title, tokenize = 'plural')")
      try db.execute("INSERT INTO book VALUES ('Library Books')")

      for (query, count) in [("\"Library Books\"", 1), ("\"library books\"", 0), ("book", 0)] {
        #expect(
          try db.fetchValue("SELECT count(*) FROM book WHERE book MATCH \(query)", as: Int.self)
            == count,
          "\(query)")
      }
    }
  }

  @Test func `a tokenizer that returns a token with NUL is refused`() throws {
    let database = try Database.inMemory(
      .init(setUp: { db in try db.add(Whole.self, named: "whole") }))
    try database.write { db in
      try db.execute("CREATE VIRTUAL TABLE book USING fts5(title, tokenize = 'whole')")
    }
    let error = #expect(throws: StorageError.self) {
      try database.write { db in try db.execute("INSERT INTO book VALUES (\("Em\0ma"))") }
    }
    #expect(error?.code == .misuse)
    try database.write { db in try db.execute("INSERT INTO book VALUES ('Emma')") }
    #expect(try database.integrityCheck() == [])
  }
}
