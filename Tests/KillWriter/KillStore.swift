import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftFiles
import UndercroftGDBM
import UndercroftKeyValue
import UndercroftSQLite
import UndercroftSecrets

/// A store with a name, whose writer can be killed.
struct KillStore: Sendable {
  let name: String
  let open: @Sendable (URL) throws -> any StorageBackend

  /// The stores whose guarantees are tested.
  static let sound: [KillStore] = [
    KillStore(name: "sheet") { try SheetBackend(in: $0) },
    KillStore(name: "journalled") { try JournalledBackend(at: $0.appending(path: "settings")) },
    KillStore(name: "gdbm") {
      try JournalledBackend(at: $0.appending(path: "prefs.gdbm"), format: GDBMFormat())
    },
    KillStore(name: "files") { try FileBackend(in: $0.appending(path: "files")) },
    KillStore(name: "single-file") { try SingleFileBackend(at: $0.appending(path: "archive")) },
    KillStore(name: "vault") {
      try VaultBackend(
        at: $0.appending(path: "vault"), unlockedBy: .keyFile($0.appending(path: "vault.key")))
    },
    KillStore(name: "sqlite") { try SQLiteBackend(at: $0.appending(path: "library.sqlite")) },
    KillStore(name: "sqlite.transactions") {
      try LedgerBackend(at: $0.appending(path: "ledger.sqlite"))
    },
  ]

  /// Stores that violate a guarantee, which the kill loop must detect.
  static let flawed: [KillStore] = [
    KillStore(name: "forgetful") { try SheetBackend(in: $0, .acknowledgesBeforeWriting) },
    KillStore(name: "torn") { try SheetBackend(in: $0, .writesInHalves) },
    KillStore(name: "in-place") { try SheetBackend(in: $0, .writesInPlace) },
    KillStore(name: "failing") { try SheetBackend(in: $0, .fails) },
  ]

  static var names: [String] { sound.map(\.name) }

  /// The stores to which several processes can write concurrently.
  static let shared = sound.filter { !["sheet", "sqlite.transactions"].contains($0.name) }
  static var sharedNames: [String] { shared.map(\.name) }

  static func named(_ name: String) throws -> KillStore {
    guard let store = (sound + flawed).first(where: { $0.name == name }) else {
      throw ValidationError(
        """
        cannot find the store \(quoted(name)): no store has this name; pass one of \
        \(names.joined(separator: ", "))
        """)
    }
    return store
  }
}
