import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore
import UndercroftGDBM
import UndercroftInspection

@Suite struct InspectorToolTests {
  private struct Home {
    let url: URL
    let key: URL

    init(_ url: URL) throws {
      self.url = url
      key = url.appending(path: "keys/vault.key")
      var storage = try Storage(home: url)
      try storage.use(.gdbm(at: url.appending(path: "prefs.gdbm")), for: .preference)
      try storage.save("dark", for: StorageKey("theme", kind: .preference, default: ""))
      try storage.save("s3cret", for: StorageKey("token", kind: .secret, default: ""))
      try storage.save(["a": 1], for: StorageKey("search", kind: .document, default: [:]))
      try storage.save("\u{1b}[31mred", for: StorageKey("search", kind: .archive, default: ""))
      try storage.database(for: .record).write { db in try db.execute("CREATE TABLE book(title)") }
    }
  }

  @Test func `the ls command lists every data kind of an application`() throws {
    try withTemporaryDirectory { directory in
      let home = try Home(directory)
      let answer = try run("ls", home.url.path)
      let text = answer.output
      #expect(answer.status == 0)

      let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      #expect(lines.first == ["kind", "backend", "entries", "size", "location"])
      #expect(lines.count == 8)
      #expect(lines.contains { $0.prefix(3) == ["preference", "gdbm", "1"] })
      #expect(lines.contains { $0.prefix(3) == ["secret", "vault", "locked"] })
      #expect(text.contains("not created yet"))

      let json = try run("ls", home.url.path, "--format", "json").output
      let rows = try #require(
        try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
      #expect(rows.count == 7)
      #expect(rows.contains { $0["kind"] as? String == "record" && $0["tables"] as? Int == 1 })
      #expect(rows.allSatisfy { $0["kind"] as? String != "record" || $0["entries"] == nil })
    }
  }

  @Test
  func `the get command accepts a key name typed in any Unicode normal form or escaped`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try Home(directory)
      let storage = try Storage(home: home.url)
      let odd = [
        "\u{7}\u{301}", "\u{202e}\u{301}a", "\\\u{301}\u{7}", "\u{301}a", "\u{feff}", "\r\n",
        "a\r\n\u{301}",
        "\u{1f468}\u{200d}\u{1f469}", "\u{1f1e9}", "\"\u{301}",
      ]
      for name in ["note/\u{e9}", "a\u{7}b"] + odd {
        try storage.save(1, for: StorageKey(name, kind: .document, default: 0))
      }
      for typed in ["note/\u{e9}", "note/e\u{301}", #"a\u{7}b"#] {
        let answer = try run("get", home.url.path, typed)
        #expect(answer.status == 0, "\(typed): \(answer.errors)")
      }
      for name in odd {
        for shown in [ValueText.safe(name), escaped(name)] {
          #expect(try run("get", home.url.path, shown).status == 0, "\(shown)")
        }
      }

      #expect(try run("keys", home.url.path, "--prefix", "note/e\u{301}").output.contains("note"))
      #expect(try run("get", home.url.path, #"a\u{zz}b"#).status == 66)
    }
  }

  @Test
  func `the ls command marks encrypted stores and counts the entries of namespaced stores`() throws
  {
    try withTemporaryDirectory { directory in
      var storage = try Storage(home: directory)
      let key = EncryptionKey.bytes(Data(count: 32))
      try storage.use(
        .files(in: directory.appending(path: "letters")).encrypted(with: key), for: .document)
      try storage.use(
        .settings(at: directory.appending(path: "desk")).namespaced("adult"), for: .preference)
      try storage.save("Dear Ada", for: StorageKey("letter", kind: .document, default: ""))
      try storage.save("dark", for: StorageKey("theme", kind: .preference, default: ""))
      let list = try run("ls", directory.path)

      #expect(list.status == 0)

      let lines = list.output.split(separator: "\n").map { $0.split(separator: " ") }
      #expect(lines.contains { $0.prefix(3) == ["document", "files", "encrypted"] })
      #expect(lines.contains { $0.prefix(3) == ["preference", "settings", "1"] })
      #expect(try run("get", directory.path, "theme").output == "\"dark\"\n")

      let letter = try run("get", directory.path, "letter", "--reveal")
      #expect(letter.status != 0)
      #expect(!letter.output.contains("Ada"))

      let keys = try run("keys", directory.path)
      #expect(keys.status == 0)
      #expect(keys.errors.contains("document: cannot read"))
    }
  }

  @Test func `the get command shows a secret only with --reveal and the key file`() throws {
    try withTemporaryDirectory { directory in
      let home = try Home(directory)
      let keys = try run("keys", home.url.path)
      #expect(keys.status == 0)
      #expect(keys.output.contains("theme"))
      #expect(!keys.output.contains("token"))
      #expect(keys.errors.contains("secret: cannot open"))
      #expect(try run("get", home.url.path, "theme").output == "\"dark\"\n")
      #expect(try run("get", home.url.path, "theme", "--format", "raw").output == "\"dark\"")

      let hidden = try run(
        "get", home.url.path, "token", "--kind", "secret", "--key-file", home.key.path)
      #expect(hidden.status == 77)
      #expect(hidden.errors.contains("--reveal"))
      #expect(!hidden.output.contains("s3cret"))

      let shown = try run(
        "get", home.url.path, "token", "--kind", "secret", "--key-file", home.key.path, "--reveal",
        "--yes")
      #expect(shown.output == "\"s3cret\"\n")

      let several = try run("get", home.url.path, "search")
      #expect(several.status == 66)
      #expect(several.errors.contains("--kind"))

      let red = try run("get", home.url.path, "search", "--kind", "archive")
      #expect(!red.output.contains("\u{1b}"))

      let json = try run("get", home.url.path, "theme", "--format", "json").output
      let row = try #require(
        try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      #expect(row["value"] as? String == "dark")
      #expect(row["encoding"] as? String == "json")
    }
  }

  @Test(.heavy) func `the inspector tool reads a passphrase from standard input`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "vault")
      try BackendChoice.vault(at: url, unlockedBy: .passphrase("open sesame")).open()
        .apply([.set("token", Data("abc".utf8))])
      let right = try run("keys", url.path, "--ask-passphrase", input: "open sesame\n")
      #expect(right.output == "name   bytes\ntoken      3\n")

      let wrong = try run("keys", url.path, "--ask-passphrase", input: "open barley\n")
      #expect(wrong.status == 77)
      #expect(!wrong.errors.contains("barley"))
    }
  }

  @Test
  func `each kind of error of the inspector tool has its own exit status and one line of output`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try Home(directory)
      let damaged = directory.appending(path: "damaged")
      try (Data("UNDFILE1".utf8) + Data(count: 100)).write(to: damaged)
      let cases: [([String], Int32)] = [
        (["ls", directory.appending(path: "nowhere").path], 66),
        (["get", home.url.path, "nothing"], 66), (["keys", damaged.path], 65),
        (["keys", home.url.path, "--kind", "song"], 66), (["keys"], 64), (["sing"], 64),
        (["keys", home.url.appending(path: "secrets/vault").path], 77),
      ]
      for (arguments, status) in cases {
        let result = try Program.inspector.run(arguments)
        #expect(result.status == status, "\(arguments)")
        if status != 64 { #expect(result.errors.split(separator: "\n").count == 1, "\(arguments)") }
      }
    }
  }

  @Test func `inspecting a store does not change any file`() throws {
    try withTemporaryDirectory { directory in
      let home = try Home(directory)
      let live = try Storage(home: home.url)
      try live.save("graph", for: StorageKey("live", kind: .archive, default: ""))
      let before = try fileStates(in: home.url)
      for format in ["text", "json"] {
        _ = try run("ls", home.url.path, "--format", format)
        _ = try run("keys", home.url.path, "--format", format)
        _ = try run("get", home.url.path, "theme", "--format", format)
      }
      _ = try run("get", home.url.path, "token", "--reveal", "--yes", "--key-file", home.key.path)

      #expect(try fileStates(in: home.url) == before)
      #expect(before.count > 10)
    }
  }

  @Test func `the rows command lists the tables and shows their rows`() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "library.sqlite")
      do {
        let database = try Database(at: file)
        try database.write { db in
          try db.execute("CREATE TABLE book(title TEXT, pages INTEGER, cover BLOB)")
          try db.execute(
            "INSERT INTO book VALUES ('Dune', 412, x'00ff'), ('A' || char(27), NULL, NULL)")
          try db.execute("CREATE TABLE reader(name TEXT)")
        }
        try database.close()
      }
      let before = try fileStates(in: directory)

      #expect(
        try run("rows", file.path).output == """
          table   rows  columns
          book       2  title, pages, cover
          reader     0  name

          """)
      let rows = try run("rows", file.path, "BOOK")
      #expect(
        rows.output == """
          title    pages  cover
          Dune       412  x'00ff'
          A\\u{1b}      ·  ·

          """)

      let json = try run(
        "rows", file.path, "book", "--offset", "0", "--limit", "1", "--format", "json")
      let answer = try #require(
        try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])

      #expect(answer["columns"] as? [String] == ["title", "pages", "cover"])
      let row = try #require((answer["rows"] as? [[Any]])?.first)
      #expect(row[0] as? String == "Dune")
      #expect(row[1] as? Int == 412)
      #expect(row[2] as? [String: String] == ["base64": "AP8="])
      #expect(try run("rows", file.path, "reader").output == "name\n")
      let absent = try run("rows", file.path, "loan")
      #expect(absent.status == 66)
      #expect(absent.errors.contains("choose one of these tables: book, reader"))
      #expect(try run("rows", file.path, "book", "--limit", "-1").status == 64)
      #expect(try fileStates(in: directory) == before)
    }
  }
}
