import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests of the command `doctor`.
@Suite struct DoctorCommandTests {
  private struct Finding {
    let state: String
    let check: String
    let text: String
    let suggestion: String?
  }

  private func findings(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> [Finding] {
    let answer = try Program.inspector.run(
      ["doctor"] + arguments + ["--format", "json"], environment: environment)
    let rows = try JSONSerialization.jsonObject(with: Data(answer.output.utf8))
    let found = try #require(rows as? [[String: String]]).map {
      Finding(
        state: $0["state"] ?? "", check: $0["check"] ?? "", text: $0["text"] ?? "",
        suggestion: $0["suggestion"])
    }
    #expect(answer.status == (found.contains { $0.state == "problem" } ? 1 : 0))
    return found
  }

  @Test func `doctor gives the number and the size of saved old values and how to remove them`()
    throws
  {
    try EditedHome.with { edited in
      let before = try edited.run(["doctor"])
      for theme in ["light", "sepia"] {
        try edited.run("set", "theme", theme, "--encoding", "text", "--write", "--yes")
      }
      let files = try edited.undoFiles

      let answer = try edited.run(["doctor"])

      let folder = edited.state.path + "/undercroft/undo"
      #expect(files.count == 2)
      #expect(!before.output.contains("with old values"))
      #expect(answer.output.contains("2 files with old values ("))
      #expect(answer.output.contains("to list them: undercroft undo; "))
      #expect(answer.output.contains("find \(folder) -name '*.ndjson' -mtime +30 -delete"))
      #expect(try edited.undoFiles == files)
    }
  }

  @Test func `the installation is checked without a path, with the versions of libraries`() throws {
    let found = try findings(environment: ["LC_ALL": "C.UTF-8"])

    #expect(found.contains { $0.check == "sqlite" && $0.text.hasPrefix("SQLite 3.") })
    #expect(found.contains { $0.check == "gdbm" && $0.text.hasPrefix("GDBM 1.") })
    #expect(found.contains { $0.check == "backends" && $0.text.contains("vault") })
    #expect(found.contains { $0.check == "locale" && $0.state == "ok" })
    #expect(!found.contains { $0.check == "manifest" })
  }

  @Test func `doctor says that it does not examine contents, unless it is quiet`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let answer = try home.run("doctor")
      let quiet = try home.run("doctor", "--quiet")

      #expect(answer.errors.contains("undercroft check"))
      #expect(quiet.errors.isEmpty)
      #expect(try run("doctor", "--help").output.contains("undercroft check"))
    }
  }

  @Test func `unsuitable settings of the environment are warnings with a command`() throws {
    try withTemporaryDirectory { directory in
      #expect(chmod(directory.path, 0o777) == 0)

      let found = try findings(environment: [
        "LC_ALL": "POSIX", "XDG_DATA_HOME": directory.path, "XDG_STATE_HOME": "relative",
        "PAGER": "no-such-pager -R",
      ])

      let locale = try #require(found.first { $0.check == "locale" })
      let data = try #require(found.first { $0.check == "data directory" })
      let state = try #require(found.first { $0.check == "state directory" })
      #expect([locale.state, data.state, state.state] == ["warning", "warning", "warning"])
      #expect(data.suggestion == "chmod go-w \(directory.path)")
      #expect(state.suggestion == "unset XDG_STATE_HOME")
      #expect(found.contains { $0.check == "pager" && $0.state == "note" })
    }
  }

  @Test func `a home without defects has no problems, and nothing in it changes`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "home"))
      let before = try fileStates(in: home.url)

      let found = try findings(home.url.path)

      #expect(!found.contains { $0.state == "problem" })
      #expect(found.contains { $0.check == "manifest" && $0.text == "7 stores" }, "\(found)")
      #expect(found.contains { $0.check == "secret" && $0.state == "ok" })
      #expect(found.contains { $0.check == "document" && $0.text.contains("not created yet") })
      #expect(found.contains { $0.check == "file system" })
      #expect(found.contains { $0.check == "disk space" })
      #expect(try fileStates(in: home.url) == before)
    }
  }

  @Test func `the text output shows each suggestion below its finding`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      #expect(chmod(home.url.appending(path: "secrets/vault").path, 0o644) == 0)

      let answer = try home.run("doctor")

      #expect(answer.status == 1)
      #expect(answer.output.contains("problem  secret"))
      #expect(answer.output.contains("→ chmod go-rwx \(home.url.path)/secrets/vault\n"))
    }
  }

  @Test func `a manifest that is no JSON is a problem`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try Data("lent".utf8).write(to: home.url.appending(path: "undercroft.json"))

      let found = try findings(home.url.path)

      let manifest = try #require(found.first { $0.check == "manifest" })
      #expect(manifest.state == "problem")
      #expect(manifest.suggestion != nil)
    }
  }

  @Test func `a store that the system cannot open is a problem with a suggestion`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let path = try home.makeUnreadable("preference")

      let found = try findings(home.url.path)

      let preference = try #require(found.first { $0.check == "preference" })
      #expect(preference.state == "problem")
      #expect(preference.text.hasPrefix("cannot read \(path): "))
      #expect(preference.suggestion == "replace the symbolic link with its target")
    }
  }

  @Test func `a folder without a home or a store ends the command with status 66`() throws {
    try withTemporaryDirectory { directory in
      let folder = try run("doctor", directory.path)
      let absent = try run("doctor", directory.path + "/absent")

      #expect([folder.status, absent.status] == [66, 66])
    }
  }

  @Test func `files and folders that others can change are problems`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      for folder in ["", "blobs"] {
        #expect(chmod(home.url.appending(path: folder).path, 0o777) == 0)
      }
      #expect(chmod(home.url.appending(path: "records.sqlite").path, 0o666) == 0)

      let found = try findings(home.url.path)

      let problems = found.filter { $0.state == "problem" }.map(\.check)
      #expect(problems.contains("home"))
      #expect(problems.contains("blob"))
      #expect(problems.contains("record"))
      #expect(found.contains { $0.suggestion?.hasPrefix("chmod -R go-w") ?? false })
    }
  }

  @Test func `files of another user are warnings with a command`() throws {
    guard geteuid() == 0 else { return }
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      #expect(chown(home.url.appending(path: "records.sqlite").path, 1234, 1234) == 0)

      let found = try findings(home.url.path)

      let record = try #require(found.first { $0.check == "record" })
      #expect(record.state == "warning")
      #expect(record.text.contains("user 1234"))
      #expect(record.suggestion?.hasPrefix("chown 0 ") == true)
    }
  }

  @Test func `files that interrupted writers left are warnings, and are not removed`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let leftover = home.url.appending(path: "secrets/.undercroft-1f2e3d4c5b6a7988.tmp")
      try Data(count: 40).write(to: leftover)
      let damaged = home.url.appending(path: "secrets/vault.damaged-1")
      try Data(count: 40).write(to: damaged)
      let before = try fileStates(in: home.url)

      let found = try findings(home.url.path)

      let temporary = try #require(found.first { $0.check == "temporary file" })
      #expect(temporary.state == "warning")
      #expect(temporary.text.contains(leftover.path))
      #expect(found.contains { $0.check == "damaged file" && $0.text.contains(damaged.path) })
      #expect(try fileStates(in: home.url) == before)
    }
  }

  @Test func `a staged value is a warning, unless a committed batch needs it`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let store = home.url.appending(path: try home.fileName(of: "blob"))
      let staged = store.appending(path: ".undercroft-1f-2e3d.staged")
      try Data(count: 40).write(to: staged)

      let interrupted = try findings(home.url.path)
      try Data("undercroft batch 1\nset \(staged.lastPathComponent) cover\n".utf8)
        .write(to: store.appending(path: ".undercroft-batch"))
      let committed = try findings(home.url.path)

      let temporary = interrupted.filter { $0.check == "temporary file" }
      #expect(temporary.map(\.state) == ["warning"])
      #expect(temporary.first?.text.contains(staged.lastPathComponent) == true)
      #expect(!committed.contains { $0.check == "temporary file" })
    }
  }

  @Test func `the temporary folder of a killed command is a warning with a command`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let folder = home.url.appending(path: ".undercroft-1f2e3d4c5b6a7988.tmp")
      try FileManager.default.createDirectory(
        at: folder.appending(path: "backup"), withIntermediateDirectories: true)

      let found = try findings(home.url.path)

      let temporary = found.filter { $0.check == "temporary folder" }
      #expect(temporary.map(\.state) == ["warning"])
      #expect(temporary.first?.text.contains(folder.path) == true)
      #expect(temporary.first?.suggestion == "repeat the command, or rm -r \(folder.path)")
    }
  }

  @Test func `the journal of an interrupted transaction is a warning, and remains`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try leaveHotJournal(of: url)
      let before = try fileStates(in: directory)

      let found = try findings(url.path)

      let journal = try #require(found.first { $0.check == "journal" })
      #expect(journal.state == "warning")
      #expect(journal.text.contains("library.sqlite-journal"))
      #expect(try fileStates(in: directory) == before)
    }
  }

  /// Creates a database whose last transaction was interrupted after it had written its journal.
  ///
  /// The files are copied during the transaction, so they are those that a killed process leaves.
  private func leaveHotJournal(of url: URL) throws {
    try withTemporaryDirectory { directory in
      let live = directory.appending(path: "live.sqlite")
      try SQLiteShell.run(
        """
        CREATE TABLE loan(id INTEGER PRIMARY KEY, note TEXT);
        PRAGMA cache_size = 1;
        BEGIN;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000)
        INSERT INTO loan SELECT i, hex(randomblob(200)) FROM n;
        .shell cp '\(live.path)' '\(url.path)'
        .shell cp '\(live.path)-journal' '\(url.path)-journal'
        ROLLBACK
        """, on: live)
    }
  }

  @Test func `locks and processes that use a store are notes`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let database = try Storage(home: directory).database(for: .record)
      try database.write { db in
        try db.execute("UPDATE book SET title = 'Ilias' WHERE id = 'b1'")

        // The system does not list all locks if other tests acquire and release locks meanwhile.
        let isListed = try (0..<20).contains { _ in
          try findings(home.url.path).contains { $0.check == "lock" && $0.state == "note" }
        }
        let found = try findings(home.url.path)

        #expect(isListed)
        #expect(found.contains { $0.check == "in use" && $0.text.contains("(\(getpid()))") })
      }
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/shm")))
  func `a home in memory is a warning`() throws {
    let url = URL(filePath: "/dev/shm/undercroft-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    let home = try SampleHome(at: url)

    let found = try findings(home.url.path)

    let system = try #require(found.first { $0.check == "file system" })
    #expect(system.state == "warning")
    #expect(system.text.contains("lost when the system restarts"))
  }

  @Test func `a store of a backend that the tool does not support is a warning`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let manifest = home.url.appending(path: "undercroft.json")
      let text = try String(contentsOf: manifest, encoding: .utf8)
      try Data(text.replacing(#""settings""#, with: #""cardbox""#).utf8).write(to: manifest)

      let found = try findings(home.url.path)

      #expect(found.contains { $0.state == "warning" && $0.text.contains("cardbox") })
    }
  }
}
