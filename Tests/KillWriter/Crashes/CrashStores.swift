import Foundation
import UndercroftCore
import UndercroftCrashTesting
import UndercroftFiles
import UndercroftGDBM
import UndercroftKeyValue
import UndercroftSQLite
import UndercroftSecrets

/// The stores whose guarantees the `crash` command verifies.
enum CrashStores {
  static let sound: [CrashSubject] =
    journalled + folders + secrets + databases + migrations + synchronised

  private static let journalled: [CrashSubject] = [Durability.powerLoss, .processDeath].flatMap {
    durability in
    [
      CrashSubject(
        "settings-\(short(durability))", durability, checkpoint: checkpointJournal,
        isLeftover: isTemporary
      ) {
        try JournalledBackend(at: $0.appending(path: "settings"), durability: durability)
      },
      CrashSubject(
        "gdbm-\(short(durability))", durability, checkpoint: checkpointJournal,
        isLeftover: isTemporary
      ) {
        try JournalledBackend(
          at: $0.appending(path: "prefs.gdbm"), format: GDBMFormat(), durability: durability)
      },
    ]
  }

  private static let folders: [CrashSubject] = [
    CrashSubject("files", .powerLoss, isLeftover: isTemporary) {
      try FileBackend(in: $0.appending(path: "files"))
    },
    CrashSubject("lists", .powerLoss, isLeftover: isTemporary) {
      try BackendChoice.propertyLists(in: $0.appending(path: "lists")).open()
    },
    CrashSubject("singleFile", .powerLoss, isLeftover: isTemporary) {
      try SingleFileBackend(at: $0.appending(path: "archive"))
    },
  ]

  private static let secrets: [CrashSubject] = [
    // The key is in a separate folder, as on a second disk.
    CrashSubject("vault", .powerLoss, isLeftover: isTemporary) {
      try VaultBackend(
        at: $0.appending(path: "safe/vault"),
        unlockedBy: .keyFile($0.appending(path: "keys/vault.key")))
    },
    CrashSubject("encrypted", .powerLoss, isLeftover: isTemporary) {
      let files = try FileBackend(in: $0.appending(path: "files"))
      return try EncryptedBackend(files, key: .keyFile($0.appending(path: "keys/files.key")))
    },
  ]

  private static let databases: [CrashSubject] = [Durability.powerLoss, .processDeath].flatMap {
    durability in
    [
      CrashSubject(
        "sqlite-\(short(durability))", durability, checkpoint: checkpointDatabase,
        verify: verifyDatabase
      ) {
        try SQLiteBackend(
          at: $0.appending(path: "library.sqlite"), DatabaseOptions(durability: durability))
      },
      CrashSubject(
        "rows-\(short(durability))", durability,
        checkpoint: { try ($0 as? LedgerBackend)?.checkpoint() }
      ) {
        // When the ledger opens, it compares its tables and checks the file.
        try LedgerBackend(at: $0.appending(path: "ledger.sqlite"), durability: durability)
      },
    ]
  }

  /// Stores that violate a guarantee, and the correct store `sheet`.
  ///
  /// The crash test must report a violation for every store but `sheet`.
  static let flawed: [CrashSubject] = [
    CrashSubject("flawed-unflushed", .powerLoss) { try SheetBackend(in: $0, .neverFlushes) },
    CrashSubject("flawed-in-place", .powerLoss) { try SheetBackend(in: $0, .writesInPlace) },
    CrashSubject("flawed-halves", .powerLoss) { try SheetBackend(in: $0, .writesInHalves) },
    CrashSubject("flawed-forgetful", .powerLoss) {
      try SheetBackend(in: $0, .acknowledgesBeforeWriting)
    },
    CrashSubject("flawed-aborting", .powerLoss) { try SheetBackend(in: $0, .abortsOnError) },
    CrashSubject("flawed-deaf", .powerLoss) { try SheetBackend(in: $0, .ignoresFailedFlushes) },
    CrashSubject("flawed-stubborn", .powerLoss) {
      try SheetBackend(in: $0, .keepsRefusedBatches)
    },
    CrashSubject("flawed-elsewhere", .powerLoss) {
      let folder = $0.deletingLastPathComponent().appending(path: "elsewhere")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return try SheetBackend(in: folder)
    },
    CrashSubject("sheet", .powerLoss) { try SheetBackend(in: $0) },
  ]

  private static func short(_ durability: Durability) -> String {
    durability == .powerLoss ? "pl" : "pd"
  }

  private static func isTemporary(_ name: String) -> Bool {
    name.hasPrefix(".undercroft-") && (name.hasSuffix(".tmp") || name.contains(".tmp-"))
  }

  private static func checkpointJournal(_ backend: any StorageBackend) throws {
    try (backend as? JournalledBackend)?.checkpoint()
  }

  private static func checkpointDatabase(_ backend: any StorageBackend) throws {
    try (backend as? SQLiteBackend)?.database.checkpoint(.truncate)
  }

  private static func verifyDatabase(_ backend: any StorageBackend) throws {
    guard let database = (backend as? SQLiteBackend)?.database else { return }
    if let first = try database.integrityCheck().first {
      let path = quoted(database.location?.path() ?? ":memory:")
      throw StorageError(
        .corrupted, "cannot verify \(path) after the crash: the database is damaged: \(first)",
        suggestion: "inspect the files of this crash state")
    }
  }
}
