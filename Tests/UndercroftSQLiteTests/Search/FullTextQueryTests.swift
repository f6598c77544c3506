import Foundation
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftTesting

@Suite struct FullTextQueryTests {
  private func library() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE VIRTUAL TABLE book USING fts5(title, author)")
      try db.execute("INSERT INTO book VALUES ('War and Peace', 'Tolstoy'), ('Peace Now', 'Emma')")
    }
    return database
  }

  private func found(_ query: FullTextQuery) throws -> [String] {
    try library().read { db in
      try db.fetchAll("SELECT title FROM book WHERE book MATCH \(query) ORDER BY rowid") { row in
        try row[0] as String
      }
    }
  }

  @Test func `a full-text query can match all words, any word, a phrase or a prefix`() throws {
    #expect(try found(.init(matchingAll: "peace war")) == ["War and Peace"])
    #expect(try found(.init(matchingAll: "peace")) == ["War and Peace", "Peace Now"])
    #expect(try found(.init(matchingAll: "peace absent")) == [])
    #expect(try found(.init(matchingAny: "war emma")) == ["War and Peace", "Peace Now"])
    #expect(try found(.init(matchingPhrase: "and peace")) == ["War and Peace"])
    #expect(try found(.init(matchingPhrase: "peace and")) == [])
    #expect(try found(.init(matchingAll: "pea to", lastIsPrefix: true)) == [])
    #expect(try found(.init(matchingAll: "peace to", lastIsPrefix: true)) == ["War and Peace"])
  }

  @Test func `a full-text query treats FTS5 operators in user input as plain words`() throws {
    #expect(try found(.init(matchingAll: "war NOT peace")) == [])
    #expect(try found(.init(matchingAll: "author:tolstoy")) == [])
    #expect(try found(.init(matchingAll: "\"war\" (peace)*")) == ["War and Peace"])
    #expect(try found(.init(matchingAll: "war !!!")) == ["War and Peace"])
    for text in ["", " ", "\0", "!!!", "\"", "*"] {
      #expect(try found(.init(matchingAll: text)) == [])
      #expect(try found(.init(matchingAny: text)) == [])
      #expect(try found(.init(matchingPhrase: text)) == [])
      #expect(try found(.init(matchingAll: text, lastIsPrefix: true)) == [])
    }
  }

  @Test func `a full-text query of random text causes no syntax error`() throws {
    var random = SeededGenerator(seed: 9)
    let pieces = [
      "\"", "'", "*", "^", ":", "-", "+", "(", ")", "{", "}", " ", "AND", "OR", "NOT", "NEAR", ",",
      "\0", "\u{3000}",
      "title", "peace", "1", ".", "\\", "\u{301}", "図", "\n",
    ]
    try library().read { db in
      try db.prepare("SELECT rowid FROM book WHERE book MATCH ?") { search in
        for round in 0..<100_000 {
          var text = ""
          for _ in 0..<Int.random(in: 0...8, using: &random) {
            text += pieces.randomElement(using: &random) ?? ""
          }
          if round % 10 == 0 { text += RandomValue.text(&random, upTo: 8) }
          let query =
            switch round % 4 {
            case 0: FullTextQuery(matchingAll: text)
            case 1: FullTextQuery(matchingAll: text, lastIsPrefix: true)
            case 2: FullTextQuery(matchingAny: text)
            default: FullTextQuery(matchingPhrase: text)
            }
          try search.bind(query.text, at: 1)
          do { try search.run() } catch { Issue.record("\(query.text.debugDescription): \(error)") }
        }
      }
    }
  }

  @Test(arguments: [300, 5000])
  func `a full-text query of thousands of words finds exactly the matching rows`(
    count: Int
  ) throws {
    let words = (0..<count).map { "w\($0)" }.joined(separator: " ")
    #expect(try found(.init(matchingAll: words)) == [])
    #expect(try found(.init(matchingAny: words)) == [])
    #expect(try found(.init(matchingAny: words + " war")) == ["War and Peace"])
    #expect(try found(.init(matchingPhrase: words)) == [])

    // No word is left out: a book with all of them is found, unless one more is searched.
    let database = try library()
    try database.write { db in try db.execute("INSERT INTO book VALUES (\(words), 'Anonymous')") }
    let queries: [(FullTextQuery, Int)] = [
      (.init(matchingAll: words), 1), (.init(matchingAll: words, prefixes: .all), 1),
      (.init(matchingAny: words), 1), (.init(matchingPhrase: words), 1),
      (.init(matchingAll: words + " absent"), 0), (.init(matchingPhrase: words + " absent"), 0),
    ]
    for (query, expected) in queries {
      let rows = try database.read { db in
        try db.fetchValue("SELECT count(*) FROM book WHERE book MATCH \(query)", as: Int.self)
      }
      #expect(rows == expected, "\(query.text.prefix(60))")
    }
  }
}
