import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite
import UndercroftTesting

/// Tests of the search for a text in the pages of a damaged database.
@Suite struct DamagedTableSearchTests {
  private static let needle = ValueFilter(BytePattern("last loan"))

  private static func library(at url: URL) throws -> Data {
    try OtherProgram(url).run(
      """
      PRAGMA page_size = 512;
      CREATE TABLE book(id INTEGER PRIMARY KEY, note TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO book SELECT i, substr(hex(zeroblob(900)), 1, i * 5) || 'the last loan' FROM n;
      """)
    return try Data(contentsOf: url)
  }

  // The row seems to be larger than the file. A search that trusts the size would read the circle
  // half a million times.
  @Test func `a search ends if overflow pages refer to each other in a circle`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let program = try OtherProgram(url)
      try program.run(
        """
        PRAGMA page_size = 512; CREATE TABLE book(id INTEGER PRIMARY KEY, note BLOB);
        INSERT INTO book VALUES (1, zeroblob(5000000));
        """)
      let roots = try program.texts("SELECT rootpage FROM sqlite_schema")
      let root = try #require(roots.first.flatMap { Int($0) })
      var bytes = try Data(contentsOf: url)
      let page = (root - 1) * 512
      let cell = page + Int(bytes[page + 8]) << 8 + Int(bytes[page + 9])
      // An overflow page contains 508 bytes, so the same number of bytes is in the leaf.
      let size = 5_000_006 + 508 * 500_000
      let varint = [21, 14, 7, 0].map { (shift: Int) -> UInt8 in
        UInt8(size >> shift & 0x7f) | (shift == 0 ? 0 : 0x80)
      }
      bytes.replaceSubrange(cell..<cell + 4, with: varint)
      for start in stride(from: page + 512, to: bytes.count, by: 512) {
        bytes.replaceSubrange(start..<start + 4, with: [0, 0, 0, UInt8(root + 1)])
      }
      try bytes.write(to: url)
      let tables = try SearchedDatabase(at: url)

      let error = #expect(throws: StorageError.self) {
        try tables.found(Self.needle, in: "book")
      }

      #expect(error?.code == .corrupted)
    }
  }

  // The search must neither trap nor run without end, and must find what SQLite itself reads. If
  // SQLite reports damage, the search reports it too, unless it has not read the damaged page.
  @Test(arguments: 0..<200)
  func `a search in damaged pages finds the rows that SQLite reads`(seed: Int) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      var bytes = try Self.library(at: url)
      var random = SeededGenerator(seed: UInt64(seed))
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let page = Int.random(in: 1..<bytes.count / 512, using: &random) * 512
        // Most numbers of a page are at its beginning.
        let position =
          page + Int.random(in: 0..<(Bool.random(using: &random) ? 24 : 512), using: &random)
        bytes[position] =
          [0, 1, 0x7f, 0x80, 0xff, bytes[position] ^ 1].randomElement(using: &random) ?? 0
      }
      try bytes.write(to: url)
      let tables: SearchedDatabase
      do { tables = try SearchedDatabase(at: url) } catch is StorageError { return }

      let expected = Result { try tables.expected(Self.needle, in: "book") }
      let found = Result { try tables.found(Self.needle, in: "book") }

      switch (expected, found) {
      case (.success(let expected), .success(let found)):
        #expect(
          Set(expected.rows.values.compactMap(\.first?.number))
            .isSubset(of: found.rows.values.compactMap(\.first?.number)))
      case (.success, .failure(let error)): Issue.record("\(error)")
      case (.failure(let error), _): #expect((error as? StorageError)?.code == .corrupted)
      }
    }
  }
}

extension InspectedValue {
  fileprivate var number: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }
}
