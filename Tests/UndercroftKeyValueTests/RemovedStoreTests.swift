import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftKeyValue

/// Tests of stores whose files another program removes, replaces or links to while the stores are
/// open.
@Suite struct RemovedStoreTests {
  @Test(arguments: [false, true])
  func `a write to an open store whose files were removed throws`(hasLinkedBackup: Bool) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      // Repeated, because the first write after the removal may come after the lease has expired.
      for round in 0..<20 {
        let store = try JournalledBackend(at: url)
        try store.apply([.set("loan/1", Data("Dune".utf8))])
        for suffix in ["", ".journal"] {
          let path = url.path + suffix
          if hasLinkedBackup { #expect(link(path, path + ".backup-\(round)") == 0) }
          try FileManager.default.removeItem(atPath: path)
        }

        let error = #expect(throws: StorageError.self, "round \(round)") {
          try store.apply([.set("loan/2", Data("Emma".utf8))])
        }

        #expect(error?.code == .unavailable)
        let fresh = try JournalledBackend(at: url)
        #expect(try fresh.keys(withPrefix: "") == [])
        try fresh.apply([.set("loan/3", Data("Ulysses".utf8))])
        #expect(try JournalledBackend(at: url).keys(withPrefix: "") == ["loan/3"])
      }
    }
  }

  @Test
  func `if a backup replaces an open store's journal, the store appends batches to the backup`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let journal = URL(filePath: url.path + ".journal")
      let backup = directory.appending(path: "backup")
      for _ in 0..<20 {
        let store = try JournalledBackend(at: url)
        try store.apply([.set("loan/1", Data("Dune".utf8)), .remove("loan/3")])
        try Data(contentsOf: journal).write(to: backup)
        try store.apply([.set("loan/2", Data("Emma".utf8))])
        #expect(rename(backup.path, journal.path) == 0)

        try store.apply([.set("loan/3", Data("Ulysses".utf8))])

        let names = try JournalledBackend(at: url).keys(withPrefix: "")
        #expect(names == ["loan/1", "loan/3"])
        try FileManager.default.removeItem(atPath: url.path)
        try FileManager.default.removeItem(atPath: journal.path)
      }
    }
  }

  /// The store can still hold the lock that it acquired before the files were removed or replaced.
  @Test(arguments: [false, true])
  func `a checkpoint neither recreates removed files nor overwrites replaced files`(
    isReplaced: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let backup = directory.appending(path: "backup")
      let store = try JournalledBackend(at: url)
      try JournalledBackend(at: backup).apply([.set("loan/1", Data("Emma".utf8))])

      var code: StorageError.Code?
      try store.withExclusiveAccess {
        try store.apply([.set("loan/1", Data("Dune".utf8)), .set("loan/2", Data())])
        for suffix in ["", ".journal"] {
          let path = url.path + suffix
          #expect((isReplaced ? rename(backup.path + suffix, path) : unlink(path)) == 0)
        }
        do { try store.checkpoint() } catch let error as StorageError { code = error.code }
      }

      #expect(code == (isReplaced ? nil : .unavailable))
      let fresh = try JournalledBackend(at: url)
      #expect(try fresh.keys(withPrefix: "") == (isReplaced ? ["loan/1"] : []))
      #expect(try fresh.read("loan/1") == (isReplaced ? Data("Emma".utf8) : nil))
    }
  }

  @Test func `a snapshot removed while the store is open is written again by a later write`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let store = try JournalledBackend(at: url)
      try store.apply([.set("loan/1", Data("Dune".utf8))])
      try store.checkpoint()
      try FileManager.default.removeItem(atPath: url.path)

      // The lock is acquired again when the lease of a few milliseconds has expired.
      let isThereAgain = try waitUntil {
        usleep(10_000)
        try store.apply([.set("loan/2", Data("Emma".utf8))])
        return FileManager.default.fileExists(atPath: url.path)
      }

      #expect(isThereAgain)
      #expect(try JournalledBackend(at: url).keys(withPrefix: "") == ["loan/1", "loan/2"])
    }
  }

  @Test(arguments: ["%PDF-1.7 a thesis of more than a few bytes, which is no store", "x", ""])
  func `opening a store at the path of another program's file throws and creates no journal`(
    text: String
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "thesis.pdf")
      try Data(text.utf8).write(to: url)

      let error = #expect(throws: StorageError.self) { try JournalledBackend(at: url) }

      #expect(error?.code == .corrupted)
      #expect(!FileManager.default.fileExists(atPath: url.path + ".journal"))
      #expect(try Data(contentsOf: url) == Data(text.utf8))
      // Once the file is gone, its path is free for a store.
      try FileManager.default.removeItem(at: url)
      #expect(try JournalledBackend(at: url).keys(withPrefix: "") == [])
    }
  }

  @Test func `opening a store through a symbolic link opens the store at the link's target`() throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let link = directory.appending(path: "link")
      try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "settings")
      let byLink = try JournalledBackend(at: link)
      let byPath = try JournalledBackend(at: url)

      try byLink.apply([.set("loan/1", Data("Dune".utf8))])
      try byPath.apply([.set("loan/2", Data("Emma".utf8))])
      try byLink.checkpoint()
      try byPath.checkpoint()

      for location in [url, link] {
        #expect(try JournalledBackend(at: location).keys(withPrefix: "") == ["loan/1", "loan/2"])
        let found = try StoreInspectorFactory.settings.open(location, .init()).entries(
          withPrefix: "")
        #expect(found.map(\.name) == ["loan/1", "loan/2"])
      }
      let files = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
      #expect(files == ["link", "settings", "settings.journal", "settings.lock"])
    }
  }
}
