import FixtureLibrary
import Foundation
import Undercroft

extension FixtureStores {
  private static func file(in folder: URL) -> URL { folder.appending(path: "library.sqlite") }

  static let databases: [Entry] = [
    (
      "sqlite",
      { folder in
        let store = try SQLiteBackend(at: file(in: folder))
        try store.apply(KeyedValues.first)
        try store.apply(KeyedValues.second)
        try store.database.close()
      }
    ),
    ("sqlite-log", { try databaseWithLog(in: $0) }),
    (
      "tables",
      { folder in
        let database = try Database(at: file(in: folder))
        try LibraryTables.fill(database)
        try database.close()
      }
    ),
    (
      "home",
      { folder in
        let storage = try HomeValues.storage(at: folder)
        try HomeValues.save(to: storage)
        try storage.database(for: .record).close()
      }
    ),
  ]

  /// Creates a database whose second batch is only in the write-ahead log.
  ///
  /// The database is not closed, because closing it would run a checkpoint.
  private static func databaseWithLog(in folder: URL) throws {
    let work = folder.deletingLastPathComponent().appending(path: "work-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: work) }
    let store = try SQLiteBackend(at: file(in: work))
    try store.apply(KeyedValues.first)
    try store.database.checkpoint(.truncate)
    try store.apply(KeyedValues.second)
    for name in ["library.sqlite", "library.sqlite-wal"] {
      try FileManager.default.copyItem(
        at: work.appending(path: name), to: folder.appending(path: name))
    }
    try store.database.close()
  }

  static let migrations: [Entry] = [
    ("migration-created", { try LibraryMigrations().open(file(in: $0)).close() }),
    (
      "migration-steps",
      { folder in
        try LibraryMigrations.makeFirstVersion(at: file(in: folder))
        try LibraryMigrations().open(file(in: folder)).close()
      }
    ),
    (
      "migration-adopted",
      { folder in
        try LibraryMigrations.makeFirstVersion(at: file(in: folder), isRecorded: false)
        try LibraryMigrations().open(file(in: folder)).close()
      }
    ),
    (
      "migration-unfinished",
      { folder in
        try LibraryMigrations.makeFirstVersion(at: file(in: folder))
        try KilledWork.migration.runUntilKilled(in: folder)
        // Moves the log of the killed process into the file.
        try Database(at: file(in: folder)).close()
      }
    ),
    (
      "migration-afresh",
      { folder in
        try LibraryMigrations.makeFirstVersion(at: file(in: folder))
        var migrations = LibraryMigrations()
        migrations.fails = true
        var migrator = migrations.migrator()
        migrator.fallback = { _ in .recreate }
        try Database(at: file(in: folder), .init(migrator: migrator)).close()
      }
    ),
  ]

  static let synchronised: [Entry] = [
    ("synchronised", { try await SyncedLibrary(in: $0).fill() })
  ]
}
