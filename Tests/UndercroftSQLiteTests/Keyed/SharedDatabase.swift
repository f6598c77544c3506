import Foundation
import TestSupport
import UndercroftCore
import UndercroftSQLite

/// Two storages whose preferences are in one open database.
enum SharedDatabase {
  static let theme = StorageKey("theme", kind: .preference, default: "none")
  static let size = StorageKey("size", kind: .preference, default: "none")

  /// How two storages access the entry table of one database.
  enum Arrangement: CaseIterable {
    case twoBackends, oneBackend, inMemory, readOnlyLayer, searchList
  }

  /// Calls `body` with a new database and its two storages, in which both settings have values.
  static func withStorages(
    _ arrangement: Arrangement,
    _ body: (Database, _ writer: Storage, _ reader: Storage) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let database =
        arrangement == .inMemory
        ? try Database.inMemory() : try Database(at: directory.appending(path: "library.sqlite"))
      let first = SQLiteBackend(database)
      let second: any StorageBackend =
        switch arrangement {
        case .twoBackends, .inMemory: SQLiteBackend(database)
        case .oneBackend: first
        case .readOnlyLayer: ReadOnlyBackend(SQLiteBackend(database))
        case .searchList:
          SearchListBackend(overrides: [MemoryBackend()], primary: SQLiteBackend(database))
        }
      var (writer, reader) = (Storage(), Storage())
      try writer.use(.backend(first), for: .preference)
      try reader.use(.backend(second), for: .preference)
      try writer.save("dark", for: Self.theme)
      try writer.save("large", for: Self.size)
      try body(database, writer, reader)
    }
  }

  /// Collects the name of a setting each time that the setting changes.
  static func observe(
    _ key: StorageKey<String>, of storage: Storage, _ calls: EventCollector<String>
  ) throws -> Registration {
    try storage.gate(for: .preference).observe([key.name]) { calls.append(key.name) }
  }
}
