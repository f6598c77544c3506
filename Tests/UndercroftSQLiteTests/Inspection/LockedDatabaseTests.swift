import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

/// Tests of inspecting a database that another program holds with an exclusive lock, as browsers
/// do.
@Suite struct LockedDatabaseTests {
  private static let journalModes = ["DELETE", "TRUNCATE", "PERSIST", "MEMORY", "WAL"]

  /// Runs `body` while another program has a database with three books open.
  private func withLockedLibrary(
    _ journalMode: String, _ body: (URL, OtherProgram) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let program = try OtherProgram(url)
      try program.run(
        """
        PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = \(journalMode);
        CREATE TABLE book(title); INSERT INTO book VALUES ('Emma'), ('Dune'), ('Ulysses');
        """)
      try body(url, program)
    }
  }

  private func state(of url: URL) throws -> [String: Data] {
    let folder = url.deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
  }

  private func rowCount(_ url: URL) throws -> Int? {
    let store = try StoreInspectorFactory.sqlite.open(url, .init())
    return try #require(store as? any TableInspectable).tables().first?.rowCount
  }

  @Test(arguments: journalModes)
  func `a database with an exclusive lock is read, and no file is changed`(
    journalMode: String
  ) throws {
    try withLockedLibrary(journalMode) { url, _ in
      let before = try state(of: url)

      let count = try rowCount(url)
      let titles = try QueriedLibrary.texts(
        "SELECT title FROM book", [QueriedLibrary.database("library", url)])

      #expect(count == 3)
      #expect(titles == ["Emma", "Dune", "Ulysses"])
      #expect(try state(of: url) == before)
    }
  }

  @Test(arguments: journalModes)
  func `an inspection during a transaction shows the rows before it`(journalMode: String) throws {
    try withLockedLibrary(journalMode) { url, program in
      try program.run("BEGIN IMMEDIATE; DELETE FROM book")

      #expect(try rowCount(url) == 3)

      try program.run("COMMIT")
      #expect(try rowCount(url) == 0)
    }
  }

  @Test func `an inspector that is open shows what the program writes later`() throws {
    try withLockedLibrary("TRUNCATE") { url, program in
      let store = try StoreInspectorFactory.sqlite.open(url, .init())
      let inspector = try #require(store as? any TableInspectable)
      #expect(try inspector.tables().first?.rowCount == 3)

      try program.run("INSERT INTO book VALUES ('Persuasion')")

      #expect(try inspector.tables().first?.rowCount == 4)
    }
  }
}
