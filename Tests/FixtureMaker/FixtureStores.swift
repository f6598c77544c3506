import FixtureLibrary
import Foundation
import Undercroft
import UndercroftGDBM

/// The functions that write each fixture into an existing, empty folder.
enum FixtureStores {
  /// The name of a fixture, and a closure that writes the fixture into a folder.
  typealias Entry = (name: String, make: @Sendable (URL) async throws -> Void)

  static let all: [Entry] =
    settings + files + sealed + databases + migrations + synchronised

  /// Applies both batches of ``KeyedValues``, with a checkpoint between the batches.
  private static func fill(_ store: JournalledBackend) throws {
    try store.apply(KeyedValues.first)
    try store.checkpoint()
    try store.apply(KeyedValues.second)
  }

  private static func fill(_ store: some StorageBackend) throws {
    try store.apply(KeyedValues.first)
    try store.apply(KeyedValues.second)
  }

  private static let settings: [Entry] = [
    ("settings", { try fill(JournalledBackend(at: $0.appending(path: "settings"))) }),
    (
      "settings-torn",
      { folder in
        try fill(JournalledBackend(at: folder.appending(path: "settings")))
        try cut(folder.appending(path: "settings.journal"), by: 3)
      }
    ),
    ("gdbm", { try gdbm(in: $0, "", ".journal", ".lock") }),
    ("gdbm-closed", { try gdbm(in: $0, isClosed: true, "", ".journal", ".lock") }),
    ("gdbm-alone", { try gdbm(in: $0, isClosed: true, "") }),
  ]

  /// Writes a GDBM store, and copies its files with the given suffixes into `folder`.
  ///
  /// The store is open while its files are copied, because closing it would run a checkpoint. If
  /// `isClosed` is `true`, the store runs a checkpoint before, so that the files are those of a
  /// closed store.
  private static func gdbm(
    in folder: URL, isClosed: Bool = false, _ suffixes: String...
  ) throws {
    let work = folder.deletingLastPathComponent().appending(path: "work-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: work) }
    let url = work.appending(path: "library.gdbm")
    let store = try JournalledBackend(at: url, format: GDBMFormat())
    try fill(store)
    if isClosed { try store.checkpoint() }
    for suffix in suffixes {
      let name = url.lastPathComponent + suffix
      try FileManager.default.copyItem(
        at: work.appending(path: name), to: folder.appending(path: name))
    }
    withExtendedLifetime(store) {}
  }

  private static let files: [Entry] = [
    ("files", { try fill(FileBackend(in: $0)) }),
    (
      "files-unfinished",
      { folder in
        try FileBackend(in: folder).apply(KeyedValues.first)
        try KilledWork.batch.runUntilKilled(in: folder)
      }
    ),
    ("property-lists", { folder in try documents(.propertyLists(in: folder)) }),
    ("single-file", { try fill(SingleFileBackend(at: $0.appending(path: "archive"))) }),
  ]

  private static func documents(_ choice: BackendChoice) throws {
    var storage = Storage()
    try storage.use(choice, for: .document)
    try storage.save(.north, for: HomeValues.room)
    try storage.save("Silence & <order>", for: HomeValues.motto)
    try storage.save(3, for: StorageKey<Int?>("floors", kind: .document))
    let binary = StorageKey<ReadingRoom?>("b", kind: .document, as: .binaryPropertyList)
    try storage.save(.north, for: binary)
  }

  private static let sealed: [Entry] = [
    (
      "vault-key-file",
      { folder in
        let key = try FixtureSecrets.makeKeyFile(in: folder)
        try fill(VaultBackend(at: folder.appending(path: "vault"), unlockedBy: .keyFile(key)))
      }
    ),
    (
      "vault-passphrase",
      { folder in
        let url = folder.appending(path: "vault")
        let vault = try VaultBackend(at: url, unlockedBy: FixtureSecrets.passphrase)
        try fill(vault)
        try vault.add(.keyFile(try FixtureSecrets.makeKeyFile(in: folder)))
      }
    ),
    (
      "vault-torn",
      { folder in
        let key = try FixtureSecrets.makeKeyFile(in: folder)
        let url = folder.appending(path: "vault")
        let vault = try VaultBackend(at: url, unlockedBy: .keyFile(key))
        try vault.apply(KeyedValues.first)
        try vault.apply([.set("loan/9", Data("never acknowledged".utf8))])
        try cut(url, by: 5)
      }
    ),
    (
      "encrypted-files",
      { folder in
        let key = try FixtureSecrets.makeKeyFile(in: folder)
        let store = try FileBackend(in: folder.appending(path: "files"))
        try fill(EncryptedBackend(store, key: .keyFile(key)))
      }
    ),
  ]

  /// Removes the last `count` bytes of a file.
  ///
  /// The result is a file whose writer was killed while it appended to the file.
  private static func cut(_ url: URL, by count: Int) throws {
    try Data(contentsOf: url).dropLast(count).write(to: url)
  }
}
