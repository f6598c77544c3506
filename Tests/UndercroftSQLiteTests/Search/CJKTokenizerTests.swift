import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftTesting

@Suite struct CJKTokenizerTests {
  private func library(_ titles: [String]) throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE VIRTUAL TABLE book USING fts5(title, tokenize = 'undercroft_cjk')")
      for title in titles { try db.execute("INSERT INTO book VALUES (\(title))") }
    }
    return database
  }

  private func found(_ query: FullTextQuery, in database: Database) throws -> [String] {
    try database.read { db in
      try db.fetchAll(
        "SELECT highlight(book, 0, '[', ']') FROM book WHERE book MATCH \(query) ORDER BY rowid"
      ) { row in try row[0] as String }
    }
  }

  @Test(arguments: [
    ("書", "図[書]館 の本"), ("書館", "図[書館] の本"), ("図書館", "[図書館] の本"), ("館の", "図書[館 の]本"),
    ("도서", "국립[도서]관"), ("관", "국립도서[관]"), ("カナ", "Emma[カナ]books"),
    ("emma", "[Emma]カナbooks"), ("BOOKS", "Emmaカナ[books]"), ("カナbooks", "Emma[カナbooks]"),
    ("𠮷", "[𠮷]野家 Ünïcode"), ("野", "𠮷[野]家 Ünïcode"), ("unicode", "𠮷野家 [Ünïcode]"),
    ("ㄅㄆ", "注音[ㄅㄆ]ㄇ"),
  ])
  func `a search with the CJK tokenizer finds and highlights any part of a CJK string`(
    query: String, marked: String
  )
    throws
  {
    let database = try library(["図書館 の本", "국립도서관", "Emmaカナbooks", "𠮷野家 Ünïcode", "注音ㄅㄆㄇ"])
    #expect(try found(FullTextQuery(matchingAll: query), in: database) == [marked])
  }

  @Test func `a prefix search with the CJK tokenizer finds Latin and CJK words`() throws {
    let database = try library(["図書館 の本", "Emmaカナbooks"])
    #expect(
      try found(FullTextQuery(matchingAll: "boo", lastIsPrefix: true), in: database)
        == ["Emmaカナ[books]"])
    #expect(
      try found(FullTextQuery(matchingAll: "図書", lastIsPrefix: true), in: database)
        == ["[図書]館 の本"])
  }

  @Test func `a search for a random substring finds exactly the rows that contain the substring`()
    throws
  {
    var random = SeededGenerator(seed: 7)
    let letters = Array("図書館本の한국カ𠮷ab".unicodeScalars)
    let titles = (0..<200).map { _ in
      var title = ""
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        if let letter = letters.randomElement(using: &random) {
          title.unicodeScalars.append(letter)
        }
      }
      return title
    }
    let database = try library(titles)
    let ideographs = letters.dropLast(2)
    for _ in 0..<300 {
      var part = ""
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        if let letter = ideographs.randomElement(using: &random) {
          part.unicodeScalars.append(letter)
        }
      }
      let expected = titles.filter { $0.contains(part) }
      let marked = try found(FullTextQuery(matchingAll: part), in: database)
      #expect(marked.map { $0.filter { $0 != "[" && $0 != "]" } } == expected)
    }
  }

  @Test func `text of random bytes can be indexed, and the index passes its integrity check`()
    throws
  {
    var random = SeededGenerator(seed: 8)
    let database = try library([])
    try database.write { db in
      for _ in 0..<1000 {
        let text = RandomValue.text(&random, upTo: 20)
        let bytes = RandomValue.bytes(&random, upTo: 20)
        try db.execute("INSERT INTO book VALUES (\(text)), (CAST(\(bytes) AS TEXT))")
      }
      try db.execute("DELETE FROM book WHERE rowid % 3 = 0")
      try db.execute("INSERT INTO book(book) VALUES ('integrity-check')")
      #expect(try db.fetchValue("SELECT count(*) FROM book", as: Int.self) == 1334)
    }
  }

  @Test func `the CJK tokenizer accepts the arguments of unicode61 on every connection`() throws {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      try database.write { db in
        try db.execute(
          "CREATE VIRTUAL TABLE book USING fts5(title, tokenize = 'undercroft_cjk remove_diacritics 0')"
        )
        try db.execute("INSERT INTO book VALUES ('Ünïcode 図書')")
        #expect(throws: StorageError.self) {
          try db.execute(
            "CREATE VIRTUAL TABLE other USING fts5(title, tokenize = 'undercroft_cjk bad')")
        }
      }

      #expect(try found(FullTextQuery(matchingAll: "unicode"), in: database) == [])
      #expect(try found(FullTextQuery(matchingAll: "書"), in: database) == ["Ünïcode 図[書]"])
    }
  }
}
