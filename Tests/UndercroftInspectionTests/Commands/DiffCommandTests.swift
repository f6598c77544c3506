import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

@Suite struct DiffCommandTests {
  @Test func `diff exits with status 0 and prints nothing for equal homes`() throws {
    try withTwoHomes { old, new in
      let answer = try old.run("diff", new.url.path, "--format", "ndjson")

      #expect(answer.status == 0)
      #expect(answer.output.isEmpty)
    }
  }

  @Test func `diff shows added, removed and changed values with their old and new content`() throws
  {
    try withTwoHomes { old, new in
      let storage = try Storage(home: new.url)
      try storage.save("light", for: StorageKey("theme", kind: .preference, default: ""))
      try storage.save("12", for: StorageKey("rows", kind: .preference, default: ""))
      try storage.remove(StorageKey("window.title", kind: .preference, default: ""))

      let rows = try old.rows("diff", new.url.path, "--kind", "preference")

      #expect(rows.map { $0["change"] as? String } == ["+", "~", "-"])
      #expect(rows.map { $0["key"] as? String } == ["rows", "theme", "window.title"])
      #expect(rows[1]["old"] as? String == "\"dark\"")
      #expect(rows[1]["new"] as? String == "\"light\"")
      #expect(try old.run("diff", new.url.path).status == 1)
    }
  }

  @Test func `diff compares the rows of tables by their primary keys`() throws {
    try withTwoHomes { old, new in
      try Storage(home: new.url).database(for: .record).write { db in
        try db.execute("UPDATE book SET title = 'Persuasion' WHERE id = 'b1'")
        try db.execute("DELETE FROM book WHERE id = 'b2'")
        try db.execute("INSERT INTO author VALUES (3, 'Homer')")
      }

      let rows = try old.rows("diff", new.url.path, "--kind", "record")

      let found = rows.map { row in
        ["change", "table", "key"].map { row[$0] as? String ?? "-" }.joined(separator: " ")
      }
      #expect(Set(found) == ["+ author 3", "~ book b1", "- book b2"])
      let changed = try #require(rows.first { $0["change"] as? String == "~" })
      #expect(changed["old"] as? String == "title=Emma at noon")
      #expect(changed["new"] as? String == "title=Persuasion")
    }
  }

  @Test func `diff shows the part around the first difference if the beginnings are equal`() throws
  {
    try withTwoHomes { old, new in
      let start = String(repeating: "a quiet day at the desk, ", count: 20)
      try old.save(start + "Emma was lent", as: "log")
      try new.save(start + "Dune was lent", as: "log")

      let row = try #require(try old.rows("diff", new.url.path, "--kind", "preference").first)

      #expect((row["old"] as? String)?.contains("Emma was lent") == true)
      #expect((row["new"] as? String)?.contains("Dune was lent") == true)
    }
  }

  @Test func `diff shows the position of the first difference of binary values`() throws {
    try withTwoHomes { old, new in
      let key = StorageKey("cover/emma", kind: .blob, default: Data())
      let start = Data(repeating: 0xff, count: 4_999)
      try Storage(home: old.url).save(start + Data([0xfd]), for: key)
      try Storage(home: new.url).save(start + Data([0xfe]), for: key)

      let row = try #require(try old.rows("diff", new.url.path, "--kind", "blob").first)

      #expect(row["old"] as? String == "5000 bytes, from byte 4999: fd")
      #expect(row["new"] as? String == "5000 bytes, from byte 4999: fe")
    }
  }

  @Test func `diff does not show the values of confidential stores`() throws {
    try withTwoHomes { old, new in
      let answer = try old.run("diff", new.url.path, "--kind", "secret")

      #expect(!answer.output.contains("s3cret"))
      #expect(answer.errors.contains("confidential") || answer.errors.contains("encrypted"))
    }
  }

  @Test func `diff notes once that it has redacted values, unless it shows secrets`() throws {
    try withTwoHomes { old, new in
      for (home, word) in [(old, "sesame"), (new, "barley")] {
        try home.save("open \(word)", as: "api_token")
        try Storage(home: home.url).database(for: .record).write { db in
          try db.execute("CREATE TABLE login(password TEXT PRIMARY KEY, note TEXT)")
          try db.execute("INSERT INTO login VALUES (\(word), 'lent')")
        }
      }

      let answer = try old.run("diff", new.url.path)
      let shown = try old.run("diff", new.url.path, "--show-secrets")

      #expect(answer.errors.components(separatedBy: "--show-secrets").count == 2)
      #expect(!answer.output.contains("sesame") && !answer.output.contains("barley"))
      #expect(shown.output.contains("open sesame") && shown.output.contains("open barley"))
      #expect(shown.output.contains("password=sesame"), "\(shown.output)")
      #expect(!shown.errors.contains("--show-secrets"))
    }
  }

  @Test func `a store is not compared with a home of several stores, unless a kind is selected`()
    throws
  {
    try withTwoHomes { old, new in
      let database = old.url.appending(path: try old.fileName(of: "record")).path
      try Storage(home: new.url).database(for: .record).write { db in
        try db.execute("INSERT INTO author VALUES (3, 'Homer')")
      }

      let refused = try [
        run("diff", database, new.url.path), run("diff", new.url.path, database),
      ]
      let added = try run("diff", database, new.url.path, "--kind", "record", "--format", "ndjson")
      let removed = try new.run("diff", database, "--kind", "record", "--format", "ndjson")

      for answer in refused {
        #expect(answer.status == 66)
        #expect(answer.output.isEmpty)
        #expect(answer.errors.contains("with --kind: record\n"), "\(answer.errors)")
      }
      #expect(added.lines.count == 1 && added.output.contains(#""change":"+""#), "\(added.errors)")
      #expect(removed.output.contains(#""change":"-""#), "\(removed.errors)")
    }
  }

  @Test func `diff compares the other stores if one of them is damaged`() throws {
    try withTwoHomes { old, new in
      try new.save("light", as: "theme")
      let database = old.url.appending(path: try old.fileName(of: "record"))
      var bytes = try Data(contentsOf: database)
      bytes.replaceSubrange(4_096..., with: Data(repeating: 0xff, count: bytes.count - 4_096))
      try bytes.write(to: database)

      let answer = try old.run("diff", new.url.path)

      #expect(answer.output.contains("light"))
      #expect(answer.errors.contains("record: "))
      #expect(answer.status == 65)
    }
  }

  private func withTwoHomes(_ body: (SampleHome, SampleHome) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      try body(
        try SampleHome(at: directory.appending(path: "old")),
        try SampleHome(at: directory.appending(path: "new")))
    }
  }
}
