import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// A database that another library created.
///
/// `Fixtures/README.md` describes how each database was created.
enum Fixture: String {
  case grdb
  case mergedGRDB = "grdb-merged"
  case ctPersistance = "ctpersistance"
  case userVersion = "user-version"

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures")

  /// Copies the fixture into a directory where it may be changed.
  func copy(into directory: URL) throws -> URL {
    let url = directory.appending(path: "\(rawValue).sqlite")
    try FileManager.default.copyItem(
      at: Self.folder.appending(path: "\(rawValue).sqlite"), to: url)
    return url
  }

  /// Expects that opening a copy of the fixture is rejected and does not change its bytes.
  ///
  /// Runs `script` on the copy first, without a write-ahead log.
  func refused(
    _ migrator: Migrator, after script: SQL? = nil, _ words: String...,
    code: StorageError.Code = .unknownVersion, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try withTemporaryDirectory { directory in
      let url = try copy(into: directory)
      if let script { try Self.change(url, script) }

      let before = try Data(contentsOf: url)
      let error = #expect(throws: StorageError.self, sourceLocation: sourceLocation) {
        try Database(at: url, .init(migrator: migrator))
      }
      #expect(error?.code == code, sourceLocation: sourceLocation)
      for word in words {
        #expect(
          error?.message.contains(word) == true, "\(error?.message ?? "")",
          sourceLocation: sourceLocation)
      }
      #expect(try Data(contentsOf: url) == before, sourceLocation: sourceLocation)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: directory.path)
          == [url.lastPathComponent], sourceLocation: sourceLocation)
    }
  }

  /// Runs a script on a file that uses a rollback journal, and retains that journal mode.
  static func change(_ url: URL, _ script: SQL) throws {
    let database = try Database.inMemory(loadedFrom: url)
    try database.write { db in _ = try db.executeScript(script) }
    try database.backUp(to: url)
  }
}

/// Returns the recorded versions of a file, each with its origin.
func recorded(_ database: Database) throws -> [String] {
  try database.fetchAll("SELECT version, origin FROM undercroft_migration ORDER BY position") {
    row in
    "\(try row[0] as String) \(try row[1] as String)"
  }
}
