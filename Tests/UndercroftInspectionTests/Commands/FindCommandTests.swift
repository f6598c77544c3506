import Foundation
import TestSupport
import Testing
import Undercroft

@Suite struct FindCommandTests {
  @Test func `find lists the values and rows of all kinds that contain a text`() throws {
    try withTemporaryDirectory { directory in
      let rows = try SampleHome(at: directory).rows("find", "at noon")

      #expect(rows.count == 2)
      #expect(
        rows.contains {
          $0["kind"] as? String == "preference" && $0["key"] as? String == "window.title"
        })
      let row = try #require(rows.first { $0["kind"] as? String == "record" })
      #expect(row["table"] as? String == "book")
      #expect(row["column"] as? String == "title")
      #expect(row["excerpt"] as? String == "Emma at noon")
    }
  }

  @Test func `find searches in names only with --names and in values only with --values`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      #expect(
        try home.rows("find", "emma", "--names").map { $0["key"] as? String } == ["cover/emma"])
      #expect(try home.rows("find", "emma", "--values").isEmpty)
      #expect(try home.rows("find", "title", "--names").count == 2)
    }
  }

  @Test func `find ignores the case of letters with --ignore-case`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      #expect(try home.run("find", "EMMA AT", "--values").status == 1)
      #expect(try home.run("find", "EMMA AT", "--values", "--ignore-case").status == 0)
    }
  }

  @Test func `find exits with status 1 if no store contains the text`() throws {
    try withTemporaryDirectory { directory in
      let answer = try SampleHome(at: directory).run("find", "Odyssey")

      #expect(answer.status == 1)
      #expect(answer.output.isEmpty)
    }
  }

  @Test func `find notes confidential stores that it did not search, unless quiet`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let answer = try home.run("find", "Emma")
      let quiet = try home.run("find", "Emma", "--quiet")

      #expect(answer.errors == "undercroft: confidential stores are left out: \"secret\"\n")
      #expect(quiet.errors.isEmpty)
      #expect(quiet.output == answer.output)
    }
  }

  @Test func `find does not search in confidential stores`() throws {
    try withTemporaryDirectory { directory in
      let answer = try SampleHome(at: directory).run("find", "s3cret")

      #expect(answer.status == 1)
      #expect(!answer.output.contains("s3cret"))
    }
  }

  @Test func `find shows a value once, around the first of several occurrences, as its help says`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let filler = String(repeating: "a quiet day ", count: 20)
      try home.save("first Emma \(filler) second Emma \(filler) Emma", as: "loans")

      let rows = try home.rows("find", "Emma", "--kind", "preference")
      let help = try run("find", "--help").output.split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")

      #expect(rows.count == 1)
      #expect((rows.first?["excerpt"] as? String)?.contains("first Emma") == true)
      #expect(help.contains("further occurrences are not counted"))
    }
  }

  @Test func `find redacts a value that looks like a secret`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try home.save("open sesame at noon", as: "api_token")

      let rows = try home.rows("find", "sesame")

      let excerpt = try #require(rows.first?["excerpt"] as? String)
      #expect(excerpt.hasPrefix("‹redacted"))
      #expect(!excerpt.contains("sesame"))
    }
  }

  @Test(arguments: [DataKind.blob, .preference])
  func `find hides only the secret in the excerpt of a long text`(kind: DataKind) throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let filler = String(repeating: "a quiet day at the desk\n", count: 1_000)
      let text = "\(filler)Emma came at noon\npassword: open sesame\nDune came at noon\n\(filler)"
      let storage = try Storage(home: home.url)
      if kind == .blob {
        try storage.save(
          Data(text.utf8), for: StorageKey("changes", kind: kind, default: Data()))
      } else {
        try home.save(text, as: "changes")
      }

      for searched in ["Emma came", "open sesame", "Dune came"] {
        let answer = try home.run("find", searched, "--format", "csv", "--kind", kind.name)

        let placeholder = #/password: ‹redacted 11 B #[0-9a-f]+›/#
        #expect(answer.status == 0)
        #expect(!answer.output.contains("sesame"))
        #expect(answer.output.contains(placeholder) || searched == "Dune came", "\(answer.output)")
        #expect(answer.output.contains("Dune came at") || searched == "Emma came")
        #expect(answer.output.contains("Emma came at noon") == (searched == "Emma came"))
        #expect(answer.errors.contains("--show-secrets"))
      }
    }
  }

  @Test func `find shows a URL without its password`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try home.save("postgres://ada:spice@desk.example/loans", as: "address")

      let rows = try home.rows("find", "spice", "--kind", "preference")

      let excerpt = try #require(rows.first?["excerpt"] as? String)
      #expect(excerpt.hasPrefix(#""postgres://‹redacted 9 B #"#), "\(excerpt)")
      #expect(excerpt.hasSuffix(#"›@desk.example/loans""#), "\(excerpt)")
    }
  }

  @Test func `find notes once that it has redacted values, unless it shows secrets or none match`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try home.save("open sesame at noon", as: "api_token")
      try home.save("open barley at noon", as: "password")

      let answer = try home.run("find", "at noon", "--kind", "preference")
      let limited = try home.run(
        "find", "at noon", "--kind", "preference", "--limit", "0", "--format", "ndjson")
      let shown = try home.run("find", "at noon", "--kind", "preference", "--show-secrets")
      let other = try home.run("find", "Lending", "--kind", "preference")

      #expect(answer.errors.components(separatedBy: "--show-secrets").count == 2)
      #expect(!answer.output.contains("sesame"))
      #expect(shown.output.contains("open sesame") && shown.output.contains("open barley"))
      #expect([limited.errors, shown.errors, other.errors] == ["", "", ""])
    }
  }

  @Test func `find shows a text that documents a package with the name of a secret`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try home.save("passwd (1:4.13) lent at noon", as: "passwd/changelog")

      let answer = try home.run("find", "lent at noon", "--kind", "preference")

      #expect(answer.output.contains("lent at noon"))
      #expect(answer.errors.isEmpty)
    }
  }

  @Test func `find numbers the rows of a table without a key among all rows`() throws {
    try withTemporaryDirectory { directory in
      let database = directory.appending(path: "library.sqlite")
      try SQLiteShell.run(
        """
        CREATE TABLE loan(title TEXT, note BLOB);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO loan SELECT iif(i % 700, 'loan', 'the last loan'), zeroblob(i) FROM n;
        """, on: database)

      let answer = try run("find", database.path, "last loan", "--format", "csv")

      #expect(
        answer.output == """
          kind,table,key,column,part,excerpt\r
          sqlite,loan,#700,title,value,the last loan\r
          sqlite,loan,#1400,title,value,the last loan\r

          """)
    }
  }

  @Test func `find rejects an empty text`() throws {
    #expect(try run("find", "/", "").status == 64)
  }
}
