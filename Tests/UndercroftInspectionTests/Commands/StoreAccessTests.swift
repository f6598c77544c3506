import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore
import UndercroftGDBM

/// Tests of the options `--snapshot` and `--lock`.
@Suite struct StoreAccessTests {
  private static let commands: [[String]] = [
    ["ls"], ["info"], ["keys"], ["get", "theme"], ["find", "noon"], ["rows"], ["rows", "book"],
    ["query", "SELECT count(*) FROM record.book"], ["schema"], ["stat"], ["top"],
    ["check", "--kind", "record"],
    ["du"], ["er"], ["export"],
  ]

  // MARK: Snapshots

  @Test(arguments: commands)
  func `a command shows the same with a snapshot, which it removes`(command: [String]) throws {
    try withHome { home, directory in
      let arguments = [command[0], home.url.path] + command.dropFirst()
      let expected = try run(arguments)
      let before = try fileStates(in: home.url)

      let answer = try Program.inspector.run(
        arguments + ["--snapshot"], environment: ["TMPDIR": directory.file("private")])

      #expect(answer.output == expected.output)
      #expect(answer.status == expected.status, "\(answer.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("private")) == [])
      #expect(try fileStates(in: home.url) == before)
    }
  }

  @Test(arguments: [("ls", 0), ("check", 65)])
  func `the rows of a snapshot of a damaged store name the store, not the copy`(
    command: String, status: Int
  ) throws {
    try withTemporaryDirectory { directory in
      let settings = directory.appending(path: "settings")
      let backend = try JournalledBackend(at: settings)
      try backend.apply([.set("shelf", Data("north".utf8))])
      let journal = settings.appendingPathExtension("journal")
      try (Data(contentsOf: journal) + Data(repeating: 0x5a, count: 100)).write(to: journal)
      let arguments = [command, settings.path, "--format", "json"]
      let expected = try run(arguments)

      let answer = try run(arguments + ["--snapshot"])

      #expect(Int(answer.status) == status, "\(answer.errors)")
      #expect(answer.output.contains(journal.path), "\(answer.output)")
      #expect(answer.output == expected.output)
      withExtendedLifetime(backend) {}
    }
  }

  @Test func `a snapshot is removed after an error`() throws {
    try withHome { home, directory in
      let answer = try Program.inspector.run(
        ["get", home.url.path, "no such book", "--snapshot"],
        environment: ["TMPDIR": directory.file("private")])

      #expect(answer.status == 66)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("private")) == [])
    }
  }

  @Test func `the histories of migrations and synchronisation are read from a snapshot`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let library = try await SyncedLibrary(in: directory)
      for command in [["migrations"], ["sync", "status"], ["sync", "queue"], ["sync", "digest"]] {
        let arguments = command + [library.desk(0).path]

        let answer = try run(arguments + ["--snapshot"])
        let refused = try Program.inspector.run(
          arguments + ["--snapshot"], environment: ["TMPDIR": "/no such folder"])

        #expect(answer.output == (try run(arguments)).output, "\(command)")
        #expect(refused.status != 0, "\(command)")
      }
    }
  }

  @Test func `a snapshot is a private folder`() throws {
    try withHome { home, directory in
      let large = home.url.appending(path: "large.sqlite")
      try SQLiteShell.run(
        "CREATE TABLE scan(page); INSERT INTO scan VALUES (zeroblob(200000000))", on: large)
      let process = try Program.inspector.start(
        ["keys", large.path, "--snapshot"], environment: ["TMPDIR": directory.file("private")])
      let folder = URL(filePath: directory.file("private"))
      var modes: [Int?] = []
      let isSeen = try waitUntil {
        modes = try FileManager.default.contentsOfDirectory(atPath: folder.path).compactMap {
          try? FileManager.default.attributesOfItem(atPath: folder.path + "/" + $0)[
            .posixPermissions] as? Int
        }
        return !modes.isEmpty
      }
      process.send(SIGINT)
      _ = try process.result()

      #expect(isSeen)
      #expect(modes == [0o700])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
  }

  @Test(arguments: LiveWriter.stores)
  func `a snapshot of a store is read while another process writes to it`(store: String) throws {
    try withTemporaryDirectory { url in
      let writer = try LiveWriter(store, in: url)

      let answer = try run(["keys", writer.path, "--snapshot"] + writer.key)

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(!answer.lines.isEmpty)
      #expect(writer.isRunning)
    }
  }

  // MARK: Locks

  @Test func `a locked database shows its rows while another process writes to it`() throws {
    try withTemporaryDirectory { url in
      let writer = try LiveWriter("sqlite", in: url)
      let names = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()

      for command in [["keys"], ["export"], ["query", "SELECT count(*) FROM sqlite"]] {
        let answer = try run([command[0], writer.path] + command.dropFirst() + ["--lock"])

        #expect(answer.status == 0, "\(answer.errors)")
        #expect(!answer.lines.isEmpty)
      }
      #expect(writer.isRunning)
      #expect(try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() == names)
    }
  }

  @Test func `a locked database of a killed writer is read without changing its files`() throws {
    try withTemporaryDirectory { url in
      let writer = try LiveWriter("sqlite", in: url)
      writer.stop()
      let before = try fileStates(in: url)

      let answer = try run("keys", writer.path, "--lock")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(!answer.lines.isEmpty)
      #expect(try fileStates(in: url) == before)
    }
  }

  @Test func `a closed database with a log is read without a lock, and no file is created`() throws
  {
    try withHome { home, _ in
      let before = try fileStates(in: home.url)

      let answer = try home.run("rows", "book", "--kind", "record", "--lock")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.contains("Emma at noon"))
      #expect(try fileStates(in: home.url) == before)
    }
  }

  @Test func `a database that cannot be locked is the reason why a table is not found`() throws {
    try withHome { home, _ in
      let record = home.url.appending(path: try home.fileName(of: "record"))
      try Data(repeating: 7, count: 5_000).write(to: record)

      let answer = try home.run("rows", "book", "--lock")

      #expect(answer.status == 65, "\(answer.errors)")
      #expect(!answer.errors.contains("no readable store"))
    }
  }

  @Test func `locking a database with a hot rollback journal suggests a snapshot`() throws {
    try withTemporaryDirectory { url in
      let database = url.appending(path: "library.sqlite")
      try SQLiteShell.run(
        """
        CREATE TABLE book(title TEXT);
        INSERT INTO book SELECT printf('%1000d', value) FROM generate_series(1, 500);
        PRAGMA cache_size = 1; BEGIN; UPDATE book SET title = 'lost' || title;
        .shell cp \(database.path) \(url.path)/hot.sqlite
        .shell cp \(database.path)-journal \(url.path)/hot.sqlite-journal
        """, on: database)
      let hot = url.appending(path: "hot.sqlite")
      let before = try fileStates(in: url)

      let locked = try run("rows", hot.path, "book", "--lock")
      let copied = try run("rows", hot.path, "book", "--snapshot", "--format", "ndjson")

      #expect(locked.status == 66)
      #expect(locked.errors.contains("--snapshot"))
      #expect(copied.lines.count == 500)
      #expect(!copied.output.contains("lost"))
      #expect(try fileStates(in: url) == before)
    }
  }

  @Test func `a locked database without a log cannot be written until the command ends`() throws {
    try withTemporaryDirectory { url in
      let database = url.appending(path: "library.sqlite")
      try SQLiteShell.run(
        """
        CREATE TABLE book(title TEXT);
        INSERT INTO book SELECT printf('%1000d', value) FROM generate_series(1, 2000)
        """, on: database)
      let script = """
        "$0" export "$1" LOCK | {
          read -r line; sqlite3 "$1" "INSERT INTO book VALUES ('Emma')" 2>&1; cat > /dev/null
        }
        """

      let result = try Program.inspector.runInShell(
        script.replacing("LOCK", with: "--lock"), database.path)

      #expect(result.output.contains("database is locked"), "\(result.errors)")
      #expect(try SQLiteShell.run("SELECT count(*) FROM book", on: database) == "2000\n")
    }
  }

  @Test func `a database is shown although another process holds an exclusive lock for long`()
    throws
  {
    try withTemporaryDirectory { url in
      let database = url.appending(path: "library.sqlite")
      try SQLiteShell.run(
        "CREATE TABLE book(title TEXT); INSERT INTO book VALUES ('Emma')", on: database)
      let writer = try Program(at: "/usr/bin/env").start(
        ["sqlite3", database.path],
        input: "BEGIN EXCLUSIVE;\n.shell touch \(url.path)/ready\n.shell sleep 30\n")
      #expect(waitUntil { FileManager.default.fileExists(atPath: url.path + "/ready") })
      defer { writer.send(SIGKILL) }

      let answer = try run("rows", database.path, "book", "--format", "ndjson")

      #expect(answer.status == 0)
      #expect(answer.output == "{\"title\":\"Emma\"}\n", "\(answer.errors)")
    }
  }

  @Test func `the suggestion for a database that cannot be locked does not name the lock again`()
    throws
  {
    try withTemporaryDirectory { url in
      let database = url.appending(path: "library.sqlite")
      try SQLiteShell.run("CREATE TABLE book(title TEXT)", on: database)
      let writer = try Program(at: "/usr/bin/env").start(
        ["sqlite3", database.path],
        input: "BEGIN EXCLUSIVE;\n.shell touch \(url.path)/ready\n.shell sleep 30\n")
      #expect(waitUntil { FileManager.default.fileExists(atPath: url.path + "/ready") })
      defer { writer.send(SIGKILL) }

      let answer = try run("rows", database.path, "book", "--lock")

      #expect(answer.status == 75)
      #expect(answer.errors.contains("with --snapshot instead of --lock"), "\(answer.errors)")
      #expect(!answer.errors.contains("or with --lock"))
    }
  }

  @Test func `the suggestion for a GDBM file that changes names no lock`() throws {
    try withChangingFile { file in
      let answer = try run("keys", file.path)

      #expect(answer.status == 75, "\(answer.errors)")
      #expect(answer.errors.contains("with --snapshot"))
      #expect(!answer.errors.contains("--lock"))
    }
  }

  @Test func `the suggestion of watch for a store that changes names no option that watch lacks`()
    throws
  {
    try withChangingFile { file in
      let process = try Program.inspector.start(["watch", file.path])
      let hasEnded = waitUntil { !process.isRunning }
      process.send(SIGINT)

      let answer = try process.result()

      #expect(hasEnded)
      #expect(answer.status == 75, "\(answer.errors)")
      #expect(answer.errors.contains("undercroft diff"))
      #expect(!answer.errors.contains("--snapshot"))
      #expect(!answer.errors.contains("--lock"))
    }
  }

  /// Calls `body` with a GDBM file that another process changes during each attempt to read it.
  private func withChangingFile(_ body: (URL) throws -> Void) throws {
    try withTemporaryDirectory { url in
      let file = url.appending(path: "loans.gdbm")
      // Reading so many buckets takes longer than the writer waits for the processor.
      let values = (0..<20_000).map { ("loan/\($0)".exact, Data("reader \($0)".utf8)) }
      try GDBMFormat().write(Dictionary(uniqueKeysWithValues: values), to: file.path)
      // Each write changes the description of a free block in the first bucket.
      let script = """
        import os, struct, sys
        file = os.open(sys.argv[1], os.O_RDWR)
        directory, = struct.unpack('=q', os.pread(file, 8, 8))
        bucket, = struct.unpack('=q', os.pread(file, 8, directory))
        number = 0
        while True:
          number += 1
          os.pwrite(file, struct.pack('=q', number), bucket + 8)
          if number == 1: open(sys.argv[2], 'w').close()
        """
      let writer = try Program(at: "/usr/bin/env").start(
        ["python3", "-c", script, file.path, url.path + "/ready"])
      #expect(waitUntil { FileManager.default.fileExists(atPath: url.path + "/ready") })
      defer { writer.send(SIGKILL) }

      try body(file)
    }
  }

  @Test func `options that contradict each other are wrong usage`() throws {
    try withHome { home, _ in
      let answer = try home.run("ls", "--snapshot", "--lock")

      #expect(answer.status == 64)
    }
  }

  private func withHome(_ body: (SampleHome, TemporaryDirectory) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: directory.file("private"), withIntermediateDirectories: false)
    try body(SampleHome(at: directory.url.appending(path: "home")), directory)
  }
}
