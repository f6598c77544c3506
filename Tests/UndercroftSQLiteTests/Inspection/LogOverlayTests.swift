import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

@Suite struct LogOverlayTests {
  private struct Report {
    /// The numbers of books and loans.
    let counts: [Int?]
    let pageCount: String?
  }

  private func report(_ url: URL) throws -> Report {
    let opened = try StoreInspectorFactory.sqlite.open(url, .init())
    let store = try #require(opened as? any TableInspectable)
    return Report(
      counts: try store.tables().map(\.rowCount),
      pageCount: try opened.inspect().facts.first { $0.name == "pages" }?.text)
  }

  /// Copies the database and its log, as a killed application would leave them.
  private func abandon(_ url: URL, in folder: URL, as name: String = "left") throws -> URL {
    let copy = folder.appending(path: name)
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: url.path + suffix, toPath: copy.path + "/library" + suffix)
    }
    return copy.appending(path: "library")
  }

  /// Returns the names, contents and modification dates of the folder that contains `url`.
  private func files(beside url: URL) throws -> [String] {
    let folder = url.deletingLastPathComponent().path
    return try (FileManager.default.contentsOfDirectory(atPath: folder).sorted() + ["."]).map {
      let path = folder + "/" + $0
      let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
      let bytes = $0 == "." ? Data() : try Data(contentsOf: URL(filePath: path))
      return "\($0) \(date?.timeIntervalSince1970 ?? 0) \(bytes.count) \(bytes.hashValue)"
    }
  }

  /// Creates a library with `books` books, whose log is never checkpointed automatically.
  private func library(_ url: URL, books: Int = 40, pageSize: Int = 4_096) throws -> OtherProgram {
    let program = try OtherProgram(url)
    try program.run(
      """
      PRAGMA page_size = \(pageSize);
      PRAGMA journal_mode = WAL;
      PRAGMA wal_autocheckpoint = 0;
      PRAGMA cache_size = 5;
      CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT NOT NULL);
      CREATE TABLE loan(book INTEGER, reader TEXT);
      """)
    try program.run(Self.adding(books))
    return program
  }

  private static func adding(_ books: Int) -> String {
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(books))
    INSERT INTO book(title) SELECT 'book ' || i || hex(zeroblob(200)) FROM n;
    """
  }

  @Test(arguments: [512, 1_024, 4_096, 16_384, 65_536])
  func `inspection shows the committed transactions of a log for every page size`(
    pageSize: Int
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let program = try library(url, pageSize: pageSize)
      // The frames of the first log remain in the file after the log restarts.
      try program.run("PRAGMA wal_checkpoint(RESTART); \(Self.adding(2)) \(Self.adding(3))")
      let left = try abandon(url, in: directory)
      let before = try files(beside: left)

      let report = try report(left)

      #expect(report.counts == [45, 0])
      #expect(try files(beside: left) == before)
    }
  }

  @Test func `inspection does not show transactions that are open or were rolled back`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let program = try library(url)
      let change = "BEGIN; \(Self.adding(500)) UPDATE book SET title = 'x' || title;"
      try program.run(change + "ROLLBACK")
      let rolledBack = try abandon(url, in: directory, as: "rolled-back")
      try program.run(change)

      let counts = try [url, rolledBack].map { try report($0).counts }

      #expect(counts == [[40, 0], [40, 0]])
    }
  }

  @Test(arguments: [1, 100, 4_096, 4_120])
  func `inspection ignores a transaction whose last frame is incomplete`(missing: Int) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let program = try library(url)
      try program.run(Self.adding(60))
      let left = try abandon(url, in: directory)
      let log = URL(filePath: left.path + "-wal")
      try Data(contentsOf: log).dropLast(missing).write(to: log)

      #expect(try report(left).counts == [40, 0])
    }
  }

  @Test func `inspection shows a database that became smaller in the log`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let program = try library(url, books: 4_000)
      try program.run("PRAGMA wal_checkpoint(RESTART); DELETE FROM book WHERE id > 4; VACUUM")
      let pageCount = try program.texts("PRAGMA page_count")

      let report = try report(url)

      #expect(report.counts == [4, 0])
      #expect(report.pageCount == pageCount.first)
    }
  }

  @Test(.heavy)
  func `inspection of a log with a damaged byte shows what SQLite shows after a recovery`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let program = try library(url, books: 3, pageSize: 512)
      try program.run("PRAGMA wal_checkpoint(RESTART); \(Self.adding(1))")
      let left = try abandon(url, in: directory)
      let log = try Data(contentsOf: URL(filePath: left.path + "-wal"))
      // The header of the log, and the header and some bytes of the first frame.
      for offset in 0..<80 {
        var damaged = log
        damaged[offset] ^= 0x81
        try damaged.write(to: URL(filePath: left.path + "-wal"))
        let copy = try abandon(left, in: directory, as: "recovered \(offset)")
        let expected = try OtherProgram(copy).texts("SELECT count(*) FROM book")

        let counts = try report(left).counts

        #expect(counts.first.flatMap { $0 }.map { "\($0)" } == expected.first, "byte \(offset)")
      }
    }
  }

  @Test func `inspection reads a log beside a file in a folder without write permission`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let left = try withExtendedLifetime(try library(url)) { _ in
        try abandon(url, in: directory)
      }
      let folder = left.deletingLastPathComponent().path
      let before = try files(beside: left)
      try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
      defer {
        try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
      }

      let counts = try report(left).counts

      #expect(counts == [40, 0])
      #expect(try files(beside: left) == before)
    }
  }

  @Test func `an open inspector shows transactions that are committed later`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let program = try library(url)
      let opened = try StoreInspectorFactory.sqlite.open(url, .init())
      let store = try #require(opened as? any TableInspectable)
      var counts: [Int?] = []
      for statement in [
        Self.adding(1), "PRAGMA wal_checkpoint(RESTART); DELETE FROM book WHERE id = 1",
        "PRAGMA wal_checkpoint(TRUNCATE)", Self.adding(2),
      ] {
        try program.run(statement)
        counts.append(try store.tables().first?.rowCount)
      }

      #expect(counts == [41, 40, 40, 42])
    }
  }

  @Test(.enabled(if: faults_are_available() != 0), arguments: 1...16)
  func `inspection shows one state if a checkpoint writes later pages during the inspection`(
    _ number: Int
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let program = try library(url, books: 3_000)
      try program.run("INSERT INTO loan(book) SELECT id FROM book; PRAGMA wal_checkpoint(PASSIVE)")
      try program.run("DELETE FROM loan WHERE book = 1; DELETE FROM book WHERE id = 1")

      beforeRead(number) {
        try program.run(
          """
          BEGIN; DELETE FROM loan; DELETE FROM book; \(Self.adding(90))
          INSERT INTO loan(book) SELECT id FROM book; COMMIT;
          PRAGMA wal_checkpoint(PASSIVE)
          """)
      }
      let counts = try report(url).counts

      #expect(counts == [2_999, 2_999] || counts == [90, 90])
    }
  }

  @Test func `inspection succeeds at its third attempt if each attempt meets a checkpoint`() throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let program = try library(url, books: 2_000)
      var attempts = 0

      let sums = try Database.inspecting(url) { db in
        attempts += 1
        let before = try db.fetchOne("SELECT sum(id) FROM book") { row in try row[0] as Int }
        try program.run(
          """
          PRAGMA wal_checkpoint(RESTART);
          UPDATE book SET id = id + 10000 WHERE id < 10000;
          PRAGMA wal_checkpoint(PASSIVE)
          """)
        try program.run("UPDATE book SET id = id - 9999 WHERE id >= 10000")
        let after = try db.fetchOne("SELECT sum(id + length(title) * 0) FROM book") { row in
          try row[0] as Int
        }
        return [before, after]
      }

      #expect(attempts == 3)
      #expect(sums.first == sums.last)
    }
  }
}
