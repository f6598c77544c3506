import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore
import UndercroftGDBM

@Suite struct CheckCommandTests {
  @Test(.enabled(if: Program.canTrace))
  func `check reads only a few times the size of a GDBM file with many values`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      let values = (0..<3_000).map { ("loan/\($0)".exact, Data("reader \($0)".utf8)) }
      try GDBMFormat().write(Dictionary(uniqueKeysWithValues: values), to: url.path)
      let size = try Data(contentsOf: url).count
      let trace = directory.appending(path: "trace")

      let answer = try Program(at: "/usr/bin/strace").run(
        ["-f", "-y", "-e", "trace=pread64", "-o", trace.path]
          + [try Program.inspector.url.path, "check", url.path])

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.contains("3000 values read"))
      let reads = try String(contentsOf: trace, encoding: .utf8).split(separator: "\n")
        .filter { $0.contains("/loans.gdbm>") }
        .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
      let total = reads.reduce(0, +)
      // Searching each value by its name would read 70 times the size.
      #expect((size..<20 * size).contains(total), "\(total) bytes of \(size)")
    }
  }

  @Test func `check calls a database that cannot be opened damaged, in the order of the kinds`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try damageDatabase(of: home)

      let rows = try home.rows("check")
      let answer = try home.run("check")

      let kinds = rows.compactMap { $0["kind"] as? String }
      #expect(kinds == kinds.sorted())
      let record = rows.filter { $0["kind"] as? String == "record" }
      #expect(record.map { $0["state"] as? String } == ["damaged"])
      #expect(answer.status == 65)
    }
  }

  @Test func `check writes the reason for damage once, even if only one kind is examined`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try damageDatabase(of: home)

      let answer = try home.run("check", "--kind", "record")

      #expect(answer.status == 65)
      #expect(answer.output.contains("record  damaged"), "\(answer.output)")
      #expect(answer.errors.isEmpty)
    }
  }

  @Test func `check names the options that pass the key of a vault that it did not examine`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let all = try home.run("check")
      let secret = try home.run("check", "--kind", "secret")

      #expect(all.status == 0)
      #expect(secret.status == 77)
      let states = try home.rows("check").filter { $0["kind"] as? String == "secret" }
        .map { $0["state"] as? String }
      #expect(states == ["not checked"])
      for answer in [all, secret] {
        #expect(answer.output.contains("secret"))
        #expect(answer.output.contains("not checked"))
        #expect(answer.output.contains("--key-file FILE or --ask-passphrase"))
        #expect(answer.errors.isEmpty)
      }
    }
  }

  @Test func `check --strict exits with status 1 if a store is not checked, and with 0 otherwise`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let keyFile = directory.appending(path: "keys/vault.key").path

      let locked = try home.run("check", "--strict")
      let unlocked = try home.run("check", "--strict", "--key-file", keyFile)
      let secret = try home.run("check", "--strict", "--kind", "secret")
      let other = try home.run("check", "--strict", "--kind", "blob")

      #expect(locked.status == 1)
      #expect(locked.output.contains("not checked"), "\(locked.output)")
      #expect(unlocked.status == 0, "\(unlocked.output)")
      #expect(secret.status == 77)
      #expect(other.status == 0)
    }
  }

  @Test func `check --strict exits with the status of damage if other stores are not checked`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try damageDatabase(of: home)

      let answer = try home.run("check", "--strict")

      #expect(answer.status == 65)
      #expect(answer.output.contains("not checked"), "\(answer.output)")
    }
  }

  @Test func `check says which stores have no checksum of their contents`() throws {
    try withTemporaryDirectory { directory in
      let rows = try SampleHome(at: directory).rows("check")
      let help = try run("check", "--help")

      let reasons = rows.filter { $0["state"] as? String == "ok" }.map { row in
        "\(row["kind"] ?? ""): \(row["reason"] as? String ?? "-")"
      }
      #expect(
        reasons == [
          "blob: 2 values read; no checksums", "preference: -",
          "record: structure examined; rows have no checksums",
        ])
      #expect(help.output.contains("no checksums"))
    }
  }

  @Test func `check decodes values without checksums, and calls one that is cut damaged`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let storage = try Storage(home: directory)
      for name in ["north", "south"] {
        try storage.save([name: 3], for: StorageKey(name, kind: .document, default: [:]))
      }

      let intact = try home.rows("check", "--kind", "document")
      let folder = directory.appending(path: "documents")
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        let url = folder.appending(path: name)
        guard name.contains("south"), let bytes = try? Data(contentsOf: url) else { continue }
        try bytes.prefix(bytes.count / 2).write(to: url)
      }
      let cut = try home.rows("check", "--kind", "document")

      let reasons = (intact + cut).map { $0["reason"] as? String ?? "" }
      #expect(reasons.count == 2)
      #expect((intact + cut).map { $0["state"] as? String } == ["ok", "damaged"])
      #expect(reasons.first?.hasPrefix("2 values read, 2 decoded as plist-") == true)
      #expect(reasons.last?.hasPrefix("the value \"south\" begins like a value of the") == true)
    }
  }

  @Test func `check reports violated foreign keys, which are not damage, and exits with status 1`()
    throws
  {
    try withTemporaryDirectory { directory in
      let database = directory.appending(path: "library.sqlite")
      try SQLiteShell.run(
        """
        PRAGMA foreign_keys = OFF;
        CREATE TABLE author(id INTEGER PRIMARY KEY);
        CREATE TABLE book(title TEXT, author INTEGER REFERENCES author(id));
        INSERT INTO book VALUES ('Emma', 7)
        """, on: database)

      let answer = try run("check", database.path, "--format", "json")
      let rows = try rowsOfJSON(answer.output)

      #expect(answer.status == 1, "\(answer.errors)")
      #expect(rows.map { $0["state"] as? String } == ["violated"])
      #expect((rows.first?["reason"] as? String)?.contains("missing row of \"author\"") == true)
      #expect(answer.errors.isEmpty)
    }
  }

  @Test func `check reports a value that cannot be read in an intact database`() throws {
    try withTemporaryDirectory { directory in
      let database = directory.appending(path: "library.sqlite")
      try SQLiteShell.run(
        """
        CREATE TABLE undercroft_entry(
          name TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL) WITHOUT ROWID;
        INSERT INTO undercroft_entry VALUES ('shelf', 5)
        """, on: database)

      let answer = try run("check", database.path)

      #expect(answer.status == 65)
      #expect(answer.errors.contains("expected a blob"), "\(answer.errors)")
    }
  }

  @Test func `check writes one row for each damaged page of a database`() throws {
    try withTemporaryDirectory { directory in
      let database = directory.appending(path: "library.sqlite")
      try SQLiteShell.run(
        """
        PRAGMA page_size = 4096; CREATE TABLE author(name TEXT); CREATE TABLE book(title TEXT);
        INSERT INTO author VALUES ('Jane Austen'); INSERT INTO book VALUES ('Emma')
        """, on: database)
      var bytes = try Data(contentsOf: database)
      // The number of fragmented bytes in the headers of the pages 2 and 3.
      for page in [2, 3] { bytes[(page - 1) * 4_096 + 7] = 5 }
      try bytes.write(to: database)

      let answer = try run("check", database.path, "--format", "json")
      let rows = try rowsOfJSON(answer.output)

      #expect(answer.status == 65)
      #expect(rows.map { $0["state"] as? String } == ["damaged", "damaged"], "\(answer.output)")
      let reasons = rows.compactMap { $0["reason"] as? String }
      #expect(reasons.allSatisfy { $0.hasPrefix("Fragmentation of 0 bytes reported as 5") })
    }
  }

  /// Overwrites all pages of the database, except for the header of the file.
  private func damageDatabase(of home: SampleHome) throws {
    let database = home.url.appending(path: try home.fileName(of: "record"))
    var bytes = try Data(contentsOf: database)
    bytes.replaceSubrange(100..., with: Data(repeating: 0xff, count: bytes.count - 100))
    try bytes.write(to: database)
  }
}
