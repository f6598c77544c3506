import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite
import UndercroftTesting

/// Tests of the search for a text in the pages of a damaged database.
@Suite struct DamagedTableSearchTests {
  private static let needle = BytePattern("last loan")

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

  // The search must neither trap nor wait for ever, and must find what SQLite itself reads. If
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
