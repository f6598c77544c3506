import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests of how `watch` notices changes of a store, and stores that cannot be read for some time.
@Suite struct WatchedStoreTests {
  /// An item that replaces a database.
  enum Damage: CaseIterable {
    case garbage
    case pipe
    case linkToItself

    /// Replaces the database at a path, which exists at each instant.
    func replace(_ path: String) throws {
      let new = path + ".new"
      switch self {
      case .garbage: try Data(repeating: 7, count: 4_096).write(to: URL(filePath: new))
      case .pipe: #expect(mkfifo(new, 0o600) == 0)
      case .linkToItself: #expect(symlink(path, new) == 0)
      }
      #expect(rename(new, path) == 0)
    }
  }

  /// The title that the first book of a repaired database has.
  private static let update = "UPDATE book SET title = 'Persuasion' WHERE id = 'b1'"

  @Test func `changes that another program makes in the memory of a GDBM file are reported`() throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      // The program has the file open until its input ends.
      let tool = Process()
      let input = Pipe()
      tool.executableURL = URL(filePath: "/usr/bin/env")
      tool.arguments = ["gdbmtool", "-n", url.path]
      tool.standardInput = input
      tool.standardOutput = FileHandle.nullDevice
      try tool.run()
      try input.fileHandleForWriting.write(contentsOf: Data("store theme dark\n".utf8))
      let isReady = waitUntil {
        (try? run("get", url.path, "theme"))?.output.contains("dark") == true
      }
      let watch = try RunningWatch(url.path)

      let areReported = try (1...5).allSatisfy { number in
        let line = "store theme dark\(number)\n"
        try input.fileHandleForWriting.write(contentsOf: Data(line.utf8))
        return watch.reports("dark\(number)")
      }
      try input.fileHandleForWriting.close()
      tool.waitUntilExit()

      #expect(isReady)
      #expect(areReported, "\(watch.output)\(watch.errors)")
      #expect(watch.lines.count == 5)
    }
  }

  @Test(arguments: Damage.allCases)
  func `a store that becomes unreadable is reported once, and compared after its repair`(
    damage: Damage
  ) throws {
    try withHome { home, directory in
      let database = home.url.appending(path: try home.fileName(of: "record")).path
      let repaired = URL(filePath: directory.file("repaired.sqlite"))
      try FileManager.default.copyItem(at: URL(filePath: database), to: repaired)
      try SQLiteShell.run(Self.update, on: repaired)
      let watch = try RunningWatch(home.url.path)

      try damage.replace(database)
      let isReported = watch.notes("undercroft: record: cannot")
      try home.save("light", as: "theme")
      let areOthersReported = watch.reports("~ preference theme")
      #expect(rename(repaired.path, database) == 0)
      let isCompared = watch.reports("~ record book b1")

      #expect(isReported && areOthersReported && isCompared, "\(watch.output)\(watch.errors)")
      #expect(watch.isRunning)
      #expect(watch.lines.count == 2)
      let notes = watch.errors.split(separator: "\n").dropFirst()
      #expect(notes.count == 2, "\(watch.errors)")
      #expect(notes.last == "undercroft: record: the store can be read again")
    }
  }

  @Test func `a store that is damaged at the start is watched after its repair`() throws {
    try withHome { home, directory in
      let database = home.url.appending(path: try home.fileName(of: "record"))
      let repaired = directory.file("repaired.sqlite")
      try FileManager.default.copyItem(at: database, to: URL(filePath: repaired))
      try Damage.garbage.replace(database.path)
      let watch = try RunningWatch(home.url.path)
      let notes = watch.errors

      #expect(rename(repaired, database.path) == 0)
      let isRead = watch.notes("record: the store can be read again")
      try SQLiteShell.run(Self.update, on: database)
      let isReported = watch.reports("~ record book b1")

      #expect(notes.hasPrefix("undercroft: record: cannot"))
      #expect(notes.hasSuffix("\nundercroft: watching 6 stores; Ctrl-C ends\n"), "\(notes)")
      #expect(isRead && isReported, "\(watch.output)\(watch.errors)")
      #expect(watch.lines.count == 1)
    }
  }

  @Test func `a database that a folder replaces is reported, and so is the end of the folder`()
    throws
  {
    let script: SQL = "CREATE TABLE book(id TEXT PRIMARY KEY); INSERT INTO book VALUES ('b1');"
    try withSampleDatabase(script) { url in
      let watch = try RunningWatch(url.path)

      try FileManager.default.removeItem(at: url)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
      let isReported = watch.notes("undercroft: sqlite: cannot")
      try FileManager.default.removeItem(at: url)
      let isRead = watch.notes("sqlite: the store can be read again")
      let isRemoved = watch.reports("- sqlite book b1")

      #expect(isReported && isRead && isRemoved, "\(watch.output)\(watch.errors)")
      #expect(watch.lines.count == 1)
    }
  }

  @Test func `watch ends with the status of the damage if no store can be read at the start`()
    throws
  {
    try withHome { home, _ in
      try Damage.garbage.replace(home.url.appending(path: try home.fileName(of: "record")).path)

      let answer = try home.run("watch", "--kind", "record")

      #expect(answer.status == 65)
      #expect(answer.output.isEmpty)
      #expect(!answer.errors.contains("watching"))
    }
  }
}
