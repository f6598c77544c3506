import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem
import UndercroftFiles
import UndercroftInspection
import UndercroftKeyValue
import UndercroftSecrets

/// Tests of stores that are opened at the path of a database that this process may have open.
@Suite struct ForeignDatabaseTests {
  struct Opening: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let open: @Sendable (URL) throws -> Void
  }

  private static let key = VaultKey.passphrase("open sesame", logRounds: 4)
  static let openings = [
    Opening(testDescription: "settings") { _ = try JournalledBackend(at: $0) },
    Opening(testDescription: "single file") { _ = try SingleFileBackend(at: $0) },
    Opening(testDescription: "vault") { _ = try VaultBackend(at: $0, unlockedBy: key) },
    Opening(testDescription: "key file") {
      let vault = $0.deletingLastPathComponent().appending(path: "vault")
      _ = try VaultBackend(at: vault, unlockedBy: .keyFile($0))
    },
    Opening(testDescription: "inspected settings") {
      _ = try StoreInspectorFactory.settings.open($0, .init())
    },
    Opening(testDescription: "inspected single file") {
      _ = try StoreInspectorFactory.singleFile.open($0, .init())
    },
    Opening(testDescription: "inspected vault") {
      _ = try StoreInspectorFactory.vault.open($0, .init())
    },
  ]

  @Test(arguments: openings)
  func `opening a SQLite file as a store throws and preserves this process's locks on the file`(
    _ opening: Opening
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try (Data("SQLite format 3\0".utf8) + Data(count: 500)).write(to: url)
      #expect(chmod(url.path, 0o600) == 0)
      let (owner, observer) = (open(url.path, O_RDWR), open(url.path, O_RDONLY))
      defer {
        close(owner)
        close(observer)
      }
      var lock = Self.lock

      try #require(fcntl(owner, F_SETLK, &lock) == 0)

      let error = #expect(throws: StorageError.self) { try opening.open(url) }

      #expect(error?.code == .misuse)
      var found = Self.lock
      // `F_OFD_GETLK`: a lock of the process conflicts with a lock of an open file.
      try #require(fcntl(observer, Platform.setOpenFileLock - 1, &found) == 0)
      #expect(found.l_type == Int16(F_WRLCK))
    }
  }

  private static var lock: flock {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_len = 1
    return lock
  }
}
