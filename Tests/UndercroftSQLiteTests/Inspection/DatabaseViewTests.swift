import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

@Suite struct DatabaseViewTests {
  /// Statements that replace all rows, so that a mixture of old and new pages is damaged.
  private static let replacement = """
    BEGIN;
    DELETE FROM loan;
    DELETE FROM book;
    INSERT INTO book(title) SELECT 'x' || hex(zeroblob(900)) FROM generate_series(1, 90);
    INSERT INTO loan(book) SELECT id FROM book;
    COMMIT;
    VACUUM
    """

  /// A database on disk with the rows that ``replacement`` replaces.
  private func filled(_ url: URL) throws -> Database {
    let database = try Database(at: url)
    try Library.fill(database, books: 3000)
    try database.execute("INSERT INTO loan(book) SELECT id FROM book")
    return database
  }

  private func counts(_ url: URL) throws -> [Int?] {
    let inspector = try StoreInspectorFactory.sqlite.open(url, .init())
    return try #require(inspector as? any TableInspectable).tables().map(\.rowCount)
  }

  @Test(.enabled(if: faults_are_available() != 0), arguments: 1...16)
  func `inspection shows one consistent state if another process writes during the inspection`(
    _ number: Int
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      try filled(url).close()

      beforeRead(number) { try SQLiteShell.run(Self.replacement, on: url) }
      let counts = try counts(url)

      #expect(counts == [3000, 3000] || counts == [90, 90])
    }
  }

  @Test(.enabled(if: faults_are_available() != 0), arguments: 1...16)
  func `inspection shows one consistent state if the WAL file is replaced during the inspection`(
    _ number: Int
  )
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      try filled(url).close()
      var application = try Database(at: url)
      #expect(try Library.count(application) == 3000)

      beforeRead(number) {
        try application.close()
        try SQLiteShell.run(Self.replacement, on: url)
        application = try Database(at: url)
        #expect(try Library.count(application) == 90)
      }
      let counts = try counts(url)

      #expect(counts == [3000, 3000] || counts == [90, 90])
      try application.close()
    }
  }
}
