import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests that commands without `--write` change nothing in a home that an application has open.
@Suite struct UnchangedFilesTests {
  /// A command line, without the path of the home after the command.
  struct Line: CustomTestStringConvertible, Sendable {
    let words: [String]
    /// The number of words before the path.
    var prefix = 1

    init(_ words: String..., prefix: Int = 1) { (self.words, self.prefix) = (words, prefix) }

    var testDescription: String { words.joined(separator: " ") }
  }

  private static let lines = [
    Line("ls"), Line("info"), Line("stat"), Line("top"), Line("du"), Line("check"), Line("advise"),
    Line("doctor"), Line("keys"), Line("get", "theme"),
    Line("get", "cover/dune", "--format", "raw"),
    Line("tree", "theme"), Line("find", "noon"), Line("rows"), Line("rows", "book"),
    Line("query", "SELECT count(*) FROM preference, record.book"),
    Line("query", "SELECT * FROM record.book", "--explain"), Line("diff", "{home}"),
    Line("watch", "--count", "0", "--interval", "0.1"), Line("log"),
    Line("schema", "--rows"), Line("er", "--svg"), Line("migrations"),
    Line("sync", "status", prefix: 2), Line("sync", "queue", prefix: 2),
    Line("sync", "conflicts", prefix: 2), Line("sync", "digest", prefix: 2),
    Line("sync", "explain", "book", "b1", prefix: 2),
    Line("vault", "status", "--kind", "secret", prefix: 2),
    Line("vault", "slots", "--kind", "secret", prefix: 2),
    Line("vault", "verify", "--kind", "secret", prefix: 2),
    Line("cp", "{new}"), Line("export"), Line("keys", "--snapshot"), Line("rows", "book", "--lock"),
    Line("set", "theme", "light", "--encoding", "text", "--dry-run"),
    Line("rm", "theme", "--dry-run"),
    Line("import", "{values}", "--dry-run"), Line("undo"), Line("shell", "--no-history"),
  ]

  private static let key = "keys/vault.key"

  @Test(arguments: lines)
  func `a command without the option --write leaves files, times and locks of a home unchanged`(
    line: Line
  ) throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "home"))
      let values = directory.appending(path: "values.ndjson")
      try Data(#"{"kind":"preference","name":"theme","value":"\"light\""}"#.utf8).write(to: values)
      let application = try Storage(home: home.url)
      try application.save("live", for: StorageKey("live", kind: .preference, default: ""))
      let database = try application.database(for: .record)
      try database.write { db in try db.execute("INSERT INTO book VALUES ('b4', 'Ulysses', NULL)") }
      let before = try fileStates(in: home.url)
      let words = line.words.map { word in
        word.replacing("{home}", with: home.url.path)
          .replacing("{new}", with: directory.appending(path: "copy").path)
          .replacing("{values}", with: values.path)
      }
      let arguments = words.prefix(line.prefix) + [home.url.path] + words.dropFirst(line.prefix)
      let limit = words[0] == "watch" ? ["timeout", "1"] : []

      let keys = ["--key-file", home.url.appending(path: Self.key).path]
      let needsKey = !["doctor", "cp", "watch"].contains(words[0])

      let result = try Program(at: "/usr/bin/env").run(
        limit + [Program.inspector.url.path] + arguments + (needsKey ? keys : []))

      #expect(try fileStates(in: home.url) == before)
      #expect(try Self.locksOfOthers(in: home.url) == [])
      #expect(result.status != 64, "\(result.errors)")
      #expect(before.count > 10)
      withExtendedLifetime(database) {}
    }
  }

  @Test(
    .enabled(if: geteuid() == 0, "only the superuser can change the owner of a file"),
    arguments: [
      ["info"], ["ls"], ["rows", "book"], ["check"], ["stat"], ["schema"],
      ["query", "SELECT title FROM book"],
    ])
  func `a command that reads a database does not change the owner of its finished journal`(
    words: [String]
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try runPython(
        """
        import sqlite3, sys
        connection = sqlite3.connect(sys.argv[1])
        connection.execute("PRAGMA journal_mode = PERSIST")
        connection.executescript(
            "CREATE TABLE book(title TEXT); INSERT INTO book VALUES ('Emma')")
        connection.close()
        """, url.path)
      let journal = url.path + "-journal"
      try #require(chown(journal, 65_534, 65_534) == 0)
      let before = try Self.ownerAndChange(of: journal)

      let answer = try run([words[0], url.path] + words.dropFirst())

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try Self.ownerAndChange(of: journal) == before)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only the superuser can change the owner of a file"))
  func `a locked database keeps the owners of its log and of the index of the log`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try database.write { db in
        try db.executeScript("CREATE TABLE book(title TEXT); INSERT INTO book VALUES ('Emma')")
      }
      let files = ["-wal", "-shm"].map { url.path + $0 }
      for file in files { try #require(chown(file, 65_534, 65_534) == 0) }
      let before = try files.map { try Self.ownerAndChange(of: $0) }

      let answer = try run("rows", url.path, "book", "--lock")
      let after = try files.map { try Self.ownerAndChange(of: $0) }

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.contains("Emma"))
      #expect(after == before)
      try database.close()
    }
  }

  @Test func `each command is in the list of lines or changes stores or needs no store`() throws {
    let help = try run("--help").output
    let names = help.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
      .filter { $0.allSatisfy(\.isLowercase) }

    let known = Set(Self.lines.map { $0.words[0] } + ["convert", "completion", "man"])

    #expect(names.count > 25)
    #expect(names.filter { !known.contains($0) } == [])
  }

  /// Returns the owner of a file and the time of the last change of its properties.
  private static func ownerAndChange(of path: String) throws -> [Int] {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return [Int(status.st_uid), status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  }

  /// Returns the locks of other processes on the files in a folder, as lines of `/proc/locks`.
  private static func locksOfOthers(in home: URL) throws -> [String] {
    var files: Set<String> = []
    for path in try fileStates(in: home).keys {
      var status = stat()
      guard stat(home.appending(path: path).path, &status) == 0 else { continue }
      files.insert("\(status.st_ino)")
    }
    return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: " ").dropFirst() }
      .filter { fields in
        fields.contains { files.contains($0.split(separator: ":").last.map(String.init) ?? "") }
      }
      .filter { fields in !fields.contains("\(getpid())") && !fields.contains("-1") }
      .map { $0.joined(separator: " ") }.sorted()
  }
}
