import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

@Suite struct MigrationMatrixTests {
  /// The fifth version has no down step.
  private static let pairs = (1...6).flatMap { from in (1...6).map { to in (from, to) } }

  @Test(.heavy, arguments: pairs)
  func `a file migrates from each version to each later one, and back if each step is revertible`(
    from: Int, to: Int
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: from)
      let database = try Database(at: url)
      let migrator = LibraryVersions.migrator
      let books = try LibraryVersions.books(in: database, version: from)

      if from >= 5, to < 5 {
        let error = #expect(throws: StorageError.self) {
          try migrator.migrate(database, to: "\(to)")
        }
        #expect(error?.message.contains("declares no down step") == true)
        #expect(try migrator.version(of: database) == "\(from)")
        return
      }

      let outcome = try migrator.migrate(database, to: "\(to)")

      #expect(try migrator.version(of: database) == "\(to)")
      #expect(try LibraryVersions.books(in: database, version: to) == books)
      #expect(try database.integrityCheck() == [])
      #expect(try database.foreignKeyCheck() == [])
      if min(from, to) >= 3 {
        let loan = try database.fetchOne("SELECT id, book, reader FROM loan") { row in
          [try row[0] as Int, try row[1], try row[2]]
        }
        #expect(loan == [9, 7, 3])
      }
      if case .migrated(_, _, let snapshot) = outcome {
        #expect(snapshot?.version == "\(from)")
        let copy = try Database(at: try #require(snapshot?.location), .init(isReadOnly: true))
        #expect(try LibraryVersions.books(in: copy, version: from) == books)
      } else {
        #expect(from == to)
      }
    }
  }
}
