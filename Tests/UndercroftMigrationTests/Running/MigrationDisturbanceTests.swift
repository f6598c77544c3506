import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// Tests of files that are removed, replaced, damaged or migrated by others during a migration.
@Suite struct MigrationDisturbanceTests {
  private func withOldFile(_ body: (URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 1)
      try body(url)
    }
  }

  /// Returns a migrator that calls `disturb` once while it runs the step to a version.
  private func migrator(at version: String, _ disturb: @escaping @Sendable () throws -> Void)
    -> Migrator
  {
    let isDone = Mutex(false)
    var migrator = LibraryVersions.migrator
    migrator.onEvent = { event in
      guard case .checking(let transition) = event, transition.to == version,
        isDone.withLock({ done in
          defer { done = true }
          return !done
        })
      else { return }
      try disturb()
    }
    return migrator
  }

  @Test(arguments: ["2", "4", "6"])
  func `a migration throws if the database file is removed, and does not recreate the file`(
    version: String
  ) throws {
    try withOldFile { (url) throws in
      let migrator = migrator(at: version) { try FileManager.default.removeItem(at: url) }

      let error = #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: migrator))
      }

      #expect(error?.message.contains("removed") == true, "\(error?.message ?? "")")
      #expect(!FileManager.default.fileExists(atPath: url.path()))
      // The snapshot contains the old content.
      let snapshot = try #require(try MigrationSnapshot.all(of: url).first)
      let copy = try Database(at: snapshot.location, .init(isReadOnly: true))
      #expect(try LibraryVersions.books(in: copy, version: 1).count == 2)
    }
  }

  @Test(arguments: ["2", "4", "6"])
  func `a migration whose database file is replaced throws and does not change the new file`(
    version: String
  ) throws {
    try withOldFile { (url) throws in
      let other = url.deletingLastPathComponent().appending(path: "other.sqlite")
      try LibraryVersions.makeFile(at: other, version: 1)
      let bytes = try Data(contentsOf: other)
      let migrator = migrator(at: version) {
        guard rename(other.path(), url.path()) == 0 else { throw POSIXError(.EIO) }
      }

      let error = #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: migrator))
      }

      #expect(error?.message.contains("replaced") == true, "\(error?.message ?? "")")
      #expect(try Data(contentsOf: url) == bytes)
    }
  }

  /// Returns a migrator whose fourth step fails after earlier steps have been committed.
  private func failing(_ fallback: MigrationFallback, _ disturb: @escaping @Sendable () -> Void)
    -> Migrator
  {
    var steps = LibraryVersions.steps
    steps[3] = MigrationStep("4", up: "DELETE FROM book; INSERT INTO nowhere VALUES (1);")
    var migrator = Migrator(steps, schema: LibraryVersions.newest)
    migrator.fallback = { _ in
      // Uses another thread, because the migrator rejects nested migrations on its own thread.
      let isDone = DispatchSemaphore(value: 0)
      Thread {
        disturb()
        isDone.signal()
      }.start()
      isDone.wait()
      return fallback
    }
    return migrator
  }

  @Test(arguments: [MigrationFallback.restoreSnapshot, .recreate, .openReadOnly])
  func `a failed migration does not restore a damaged snapshot`(fallback: MigrationFallback)
    throws
  {
    try withOldFile { (url) throws in
      let snapshotPath = url.path() + ".version-1.snapshot"
      let migrator = failing(fallback) {
        let size = (try? DatabaseFiles(at: URL(filePath: snapshotPath)).byteCount()) ?? 0
        truncate(snapshotPath, off_t(size - 4_096))
      }

      let error = #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: migrator))
      }

      #expect(error?.message.contains("snapshot") == true, "\(error?.message ?? "")")
      let database = try Database(at: url)
      #expect(try LibraryVersions.migrator.version(of: database) == "3")
      #expect(try database.integrityCheck() == [])
      #expect(try LibraryVersions.books(in: database, version: 3).count == 2)
    }
  }

  @Test(arguments: [MigrationFallback.restoreSnapshot, .recreate, .openReadOnly])
  func `a failed migration does not revert the completed migration of another process`(
    fallback: MigrationFallback
  ) throws {
    try withOldFile { (url) throws in
      let migrator = failing(fallback) {
        // A newer program opens the file after the failure and migrates it.
        let other = try? Database(at: url, .init(migrator: LibraryVersions.migrator))
        _ = try? other?.execute("INSERT INTO author (name) VALUES ('Burney')")
      }

      let database = try Database(at: url, .init(migrator: migrator))

      #expect(!database.isReadOnly)
      #expect(try LibraryVersions.migrator.version(of: database) == "6")
      let names = try database.fetchAll("SELECT name FROM author ORDER BY id") { row in
        try row[0] as String
      }
      #expect(names == ["Austen", "Burney"])
      #expect(
        !FileManager.default.fileExists(atPath: url.path() + ".kept-1"))
    }
  }

  @Test
  func `a failed migration does not restore a snapshot that another process already restored`()
    throws
  {
    try withOldFile { (url) throws in
      let inner = failing(.restoreSnapshot) {}
      let outer = failing(.restoreSnapshot) {
        _ = try? Database(at: url, .init(migrator: inner))
        // The other process has written to the file since and has discarded the snapshot.
        let old = try? Database(at: url)
        _ = try? old?.execute("INSERT INTO book (title, author) VALUES ('Evelina', 'Burney')")
        try? MigrationSnapshot.all(of: url).forEach { snapshot in try snapshot.discard() }
      }

      let error = #expect(throws: StorageError.self) {
        try Database(at: url, .init(migrator: outer))
      }

      #expect(
        error?.message.contains("before the migration, at the version \"1\"") == true,
        "\(error?.message ?? "")")
      #expect(try LibraryVersions.books(in: try Database(at: url), version: 1).count == 3)
    }
  }

  @Test func `the recreate fallback reuses a copy of the old database that a killed process made`()
    throws
  {
    try withOldFile { (url) throws in
      // Simulates a process that was killed right after it had made the copy.
      let copy = URL(filePath: url.path() + ".kept-1")
      try Database(at: url).backUp(to: copy)

      let database = try Database(
        at: url, .init(migrator: failing(.recreate) {}))

      #expect(try LibraryVersions.migrator.version(of: database) == "6")
      #expect(!FileManager.default.fileExists(atPath: url.path() + ".kept-2"))

      // A later file with different content is stored under another name.
      try database.close()
      try FileManager.default.removeItem(at: url)
      try LibraryVersions.makeFile(at: url, version: 2)
      _ = try Database(at: url, .init(migrator: failing(.recreate) {}))

      let preservedURL = URL(filePath: url.path() + ".kept-2")
      #expect(try LibraryVersions.migrator.version(of: try Database(at: preservedURL)) == "2")
      #expect(try LibraryVersions.migrator.version(of: try Database(at: copy)) == "1")
    }
  }
}
