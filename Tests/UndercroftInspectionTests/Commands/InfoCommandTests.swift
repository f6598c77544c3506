import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore
import UndercroftGDBM

/// Tests of the commands that examine whole stores: `info`, `check` and `advise`.
@Suite struct InfoCommandTests {
  @Test func `info shows the format, the files and their modes`() throws {
    try withTemporaryDirectory { directory in
      let rows = try SampleHome(at: directory).rows("info", "--kind", "record")

      let store = try #require(rows.first)
      #expect(store["format"] as? String == "sqlite database 3")
      let files = try #require(store["files"] as? [[String: Any]])
      #expect(files.contains { ($0["mode"] as? String)?.hasPrefix("0") == true })
    }
  }

  @Test(arguments: [100, 600])
  func `info shows the header of a database that is too short to be opened, and the damage`(
    byteCount: Int
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try SQLiteShell.run(
        """
        PRAGMA page_size = 512; PRAGMA user_version = 7; CREATE TABLE book(title TEXT);
        INSERT INTO book VALUES (zeroblob(2000))
        """, on: url)
      let bytes = try Data(contentsOf: url)
      try bytes.prefix(byteCount).write(to: url)

      let answer = try run("info", url.path, "--format", "json")
      let text = try run("info", url.path)
      let row = try #require(try rowsOfJSON(answer.output).first)
      let facts = try #require(row["facts"] as? [String: String])

      #expect(answer.status == 65)
      #expect(row["format"] as? String == "sqlite database 3")
      #expect(row["bytes"] as? Int == byteCount)
      #expect(facts["user version"] == "7")
      #expect(facts["page size"] == "512")
      #expect(
        facts["missing bytes"]
          == "\(bytes.count - byteCount) of the \(bytes.count) bytes that the header states")
      #expect((row["problem"] as? String)?.contains("malformed") == true, "\(row)")
      #expect((row["files"] as? [Any])?.count == 1)
      #expect(text.status == 65)
      #expect(text.output.contains("missing bytes"))
      #expect(text.errors.contains("malformed"), "\(text.errors)")
    }
  }

  @Test(arguments: ["directory", "end", "header"])
  func `info shows the header of a damaged GDBM file, and the damage`(damage: String) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      let values = (0..<1_000).map { ("loan/\($0)".exact, Data("reader \($0)".utf8)) }
      try GDBMFormat().write(Dictionary(uniqueKeysWithValues: values), to: url.path)
      let bytes = try Data(contentsOf: url)
      var damaged = bytes
      switch damage {
      case "directory":
        damaged.replaceSubrange(8..<16, with: Data(repeating: 0xff, count: 8))
      case "end": damaged = bytes.prefix(12_288)
      default: damaged = bytes.prefix(100)
      }
      try damaged.write(to: url)

      let answer = try run("info", url.path, "--format", "json")
      let text = try run("info", url.path)
      let row = try #require(try rowsOfJSON(answer.output).first)
      let facts = try #require(row["facts"] as? [String: String])

      #expect(answer.status == 65)
      #expect((row["format"] as? String)?.hasPrefix("gdbm file") == true)
      #expect(row["bytes"] as? Int == damaged.count)
      #expect(row["entries"] as? Int == nil)
      #expect(facts["byte order"] != nil)
      #expect((facts["bucket size"] == nil) == (damage == "directory"), "\(facts)")
      #expect((facts["missing bytes"] == nil) == (damage == "directory"), "\(facts)")
      #expect((row["problem"] as? String)?.contains("cannot read") == true, "\(row)")
      #expect((row["files"] as? [Any])?.count == 1)
      #expect(text.status == 65)
      #expect(text.output.contains("byte order"))
      #expect(text.errors.contains("cannot read"), "\(text.errors)")
    }
  }

  @Test func `info shows the sizes of the files of a damaged store with a journal`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      let backend = try JournalledBackend(at: url, format: GDBMFormat())
      try backend.apply([.set("loan", Data("reader".utf8))])
      try backend.checkpoint()
      try backend.apply([.set("shelf", Data("north".utf8))])
      try Data(contentsOf: url).prefix(100).write(to: url)

      let answer = try run("info", url.path, "--format", "json")

      #expect(answer.status == 65)
      let row = try #require(try rowsOfJSON(answer.output).first)
      let facts = try #require(row["facts"] as? [String: String])
      #expect(row["format"] as? String == "gdbm snapshot 1 with journal 1")
      #expect(facts["snapshot"] == "100 bytes")
      #expect(facts["journal"] != nil)
      #expect((row["files"] as? [Any])?.count ?? 0 >= 2, "\(row)")
      withExtendedLifetime(backend) {}
    }
  }

  @Test(arguments: ["settings", "gdbm", "vault"])
  func `info of a store with a damaged batch names the damage, and ends with status 65`(
    format: String
  ) throws {
    try withTemporaryDirectory { directory in
      let store = directory.appending(path: "loans")
      let key = directory.appending(path: "loans.key")
      let backend = try openStore(format, at: store, key: key)
      let file = format == "vault" ? store : store.appendingPathExtension("journal")
      try backend.apply([.set("emma", Data(repeating: 7, count: 100))])
      let end = try Data(contentsOf: file).count
      for name in ["dune", "persuasion"] {
        try backend.apply([.set(name, Data(repeating: 7, count: 100))])
      }
      var bytes = try Data(contentsOf: file)
      bytes[end + 60] ^= 1
      try bytes.write(to: file)
      let arguments = ["info", store.path] + (format == "vault" ? ["--key-file", key.path] : [])

      let answer = try run(arguments + ["--format", "json"])
      let text = try run(arguments)

      let row = try #require(try rowsOfJSON(answer.output).first)
      let reason = "cannot recover \(bytes.count - end) bytes of \"\(file.path)\""
      #expect(answer.status == 65)
      #expect(row["entries"] as? Int == 1)
      #expect((row["problem"] as? String)?.hasPrefix(reason) == true, "\(row)")
      #expect(answer.errors.contains(#""code":"corrupted""#), "\(answer.errors)")
      #expect(text.status == 65)
      #expect(text.output.contains("damage"))
      #expect(text.errors.contains(reason), "\(text.errors)")
      #expect(text.errors.contains("from a backup"))
      withExtendedLifetime(backend) {}
    }
  }

  /// Opens a new store, whose backend is called a format.
  private func openStore(
    _ format: String, at url: URL, key: URL
  ) throws -> any StorageBackend {
    switch format {
    case "vault": return try VaultBackend(at: url, unlockedBy: .keyFile(key))
    case "gdbm": return try BackendChoice.gdbm(at: url).open()
    default: return try BackendChoice.settings(at: url).open()
    }
  }

  @Test func `info of a snapshot shows the size and the journal mode of the original`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try database.execute("CREATE TABLE loan(id INTEGER PRIMARY KEY, n INTEGER)")
      try database.execute("INSERT INTO loan VALUES (1, 300), (2, 400)")
      let size = try ["", "-wal", "-shm"].reduce(0) { sum, suffix in
        try sum + Data(contentsOf: URL(filePath: url.path + suffix)).count
      }

      let answer = try run("info", url.path, "--snapshot", "--format", "json")

      let row = try #require(try rowsOfJSON(answer.output).first)
      let facts = try #require(row["facts"] as? [String: String])
      #expect(row["path"] as? String == url.path)
      #expect(facts["journal mode"] == "write-ahead log")
      #expect(facts["table loan"] == "2 rows")
      #expect(row["bytes"] as? Int == size)
      #expect(row["tables"] as? Int == 1)
      try database.close()
    }
  }

  @Test func `info of a snapshot names the damaged file of the store, not that of the copy`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      let values = (0..<1_000).map { ("loan/\($0)".exact, Data("reader \($0)".utf8)) }
      try GDBMFormat().write(Dictionary(uniqueKeysWithValues: values), to: url.path)
      try Data(contentsOf: url).prefix(12_288).write(to: url)
      let settings = directory.appending(path: "settings")
      let backend = try JournalledBackend(at: settings)
      try backend.apply([.set("shelf", Data("north".utf8))])
      let journal = settings.appendingPathExtension("journal")
      try (Data(contentsOf: journal) + Data(repeating: 0x5a, count: 100)).write(to: journal)

      let answer = try run("info", url.path, "--snapshot", "--format", "json")
      let text = try run("info", url.path, "--snapshot")
      let recovered = try run("info", settings.path, "--snapshot", "--format", "json")

      let problem = try #require(try rowsOfJSON(answer.output).first?["problem"] as? String)
      #expect(problem.contains(url.path), "\(problem)")
      #expect(!answer.errors.contains(".undercroft-"), "\(answer.errors)")
      #expect(text.errors.contains("\"\(url.path)\""), "\(text.errors)")
      #expect(recovered.status == 65)
      #expect(!recovered.output.contains(".undercroft-"), "\(recovered.output)")
      #expect(!recovered.errors.contains(".undercroft-"), "\(recovered.errors)")
      let facts = try #require(
        try rowsOfJSON(recovered.output).first?["facts"] as? [String: String])
      #expect(facts["damage"]?.contains("\"\(journal.path)\"") == true, "\(facts)")
      withExtendedLifetime(backend) {}
    }
  }

  @Test func `info lists the locks that processes hold on a database`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let database = try Storage(home: directory).database(for: .record)
      try database.write { db in
        try db.execute("UPDATE book SET title = 'Ilias' WHERE id = 'b1'")

        // The system does not list all locks if other tests acquire and release locks meanwhile.
        let isListed = try (0..<20).contains { _ in
          let locks = try home.rows("info", "--kind", "record").first?["locks"] as? [String]
          return locks?.contains { $0.contains("lock of") } ?? false
        }

        #expect(isListed)
      }
    }
  }

  @Test func `check reports that undamaged stores are ok and encrypted ones are not checked`()
    throws
  {
    try withTemporaryDirectory { directory in
      let rows = try SampleHome(at: directory).rows("check")

      let states = rows.map { "\($0["kind"] ?? "") \($0["state"] ?? "")" }
      #expect(states.contains("record ok"))
      #expect(states.contains("secret not checked"))
      #expect(states.allSatisfy { $0.hasSuffix(" ok") || $0 == "secret not checked" }, "\(states)")
    }
  }

  @Test func `check exits with status 65 and names the table of a damaged database`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "damaged.sqlite")
      let damaged = try Database(at: url)
      try damaged.execute("CREATE TABLE loan(id INTEGER PRIMARY KEY, n INTEGER)")
      try damaged.execute("CREATE INDEX loan_n ON loan(n)")
      try damaged.execute("INSERT INTO loan VALUES (1, 300)")
      try damaged.close()
      try replaceLastIndexEntry(in: url)

      let answer = try run("check", url.path)

      #expect(answer.status == 65)
      #expect(answer.output.contains("loan"))
    }
  }

  @Test func `advise recommends a vault for a token in a plaintext store`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try home.save("open sesame", as: "api_token")

      let rows = try home.rows("advise")

      let advice = try #require(rows.first { $0["rule"] as? String == "plaintext-secret" })
      #expect(advice["subject"] as? String == "api_token")
      #expect(try home.run("advise").status == 1)
      #expect(try !home.run("advise").output.contains("sesame"))
    }
  }

  /// Overwrites the key of the only entry of an index with another number.
  ///
  /// The third page of the file is the page of the index. Its last bytes are the entry.
  private func replaceLastIndexEntry(in url: URL) throws {
    var bytes = try Data(contentsOf: url)
    bytes[3 * 4096 - 1] += 1
    try bytes.write(to: url)
  }
}
