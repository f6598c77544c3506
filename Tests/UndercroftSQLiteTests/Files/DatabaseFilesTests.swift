import BehaviourTrait
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct DatabaseFilesTests {
  private func withLibrary(_ body: (Database, URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let database = try Database(
        at: directory.appending(path: "library.sqlite"),
        DatabaseOptions(lockTimeout: .hangLimit))
      try Library.fill(database)
      try body(database, directory)
    }
  }

  @Test(.behaviour("A-WC-09"))
  func `DatabaseFiles lists all files of a database and the sum of their sizes`() throws {
    try withLibrary { database, directory in
      let files = try #require(database.files)
      let names = ["", "-wal", "-shm", "-journal"].map { "library.sqlite" + $0 }
      #expect(files.all.map(\.lastPathComponent) == names)
      #expect(files.all.first == files.location)
      let sizes = try Library.names(in: directory).map {
        try Data(contentsOf: directory.appending(path: $0)).count
      }
      #expect(sizes.count == 3)
      #expect(try files.byteCount() == sizes.reduce(0, +))
      #expect(try Database.inMemory().files == nil)
    }
  }

  @Test(.behaviour("A-WC-09"))
  func `reading the size of a missing or inaccessible database throws`() throws {
    try withTemporaryDirectory { directory in
      let absent = try DatabaseFiles(at: directory.appending(path: "absent.sqlite"))
      let error = #expect(throws: StorageError.self) { try absent.byteCount() }
      #expect(error?.code == .unavailable)
      let file = directory.appending(path: "list.txt")
      try Data().write(to: file)
      let below = try DatabaseFiles(at: file.appending(path: "library.sqlite"))
      #expect(throws: StorageError.self) { try below.byteCount() }
      #expect(throws: StorageError.self) { try DatabaseFiles(at: URL(filePath: "a\0b")) }
    }
  }

  @Test(.behaviour("A-WC-09"))
  func `removing a database deletes all its files, and the next use creates an empty database`()
    throws
  {
    try withLibrary { database, directory in
      try database.whileClosed { files in
        // The state after a killed process.
        for file in files.all.dropFirst() { try Data("rest".utf8).write(to: file) }
        try files.remove()
        #expect(try Library.names(in: directory) == [])
        try files.remove()
      }
      let tables = try database.read { db in try db.schema() }
      #expect(tables == [])
      try Library.fill(database)
      #expect(try Library.count(database) == 3)
    }
  }

  @Test
  func `removing or moving files of an open database throws a locked error and changes nothing`()
    throws
  {
    try withLibrary { database, directory in
      let files = try #require(database.files)
      let before = try Library.names(in: directory)

      for other in [false, true] {
        let another = other ? try Database(at: files.location) : nil
        if let another {
          let count = try Library.count(another)
          #expect(count == 3)
        }
        for isMove in [false, true] {
          let error = #expect(throws: StorageError.self) {
            let action = {
              try isMove ? files.move(to: directory.appending(path: "new")) : files.remove()
            }
            if other { try database.whileClosed { _ in try action() } } else { try action() }
          }
          #expect(error?.code == .locked)
          #expect(try Library.names(in: directory) == before)
        }
      }
      #expect(try Library.count(database) == 3)
    }
  }

  @Test(.behaviour("A-WC-09"))
  func `moving a database preserves rows that are stored only in the write-ahead log`() throws {
    try withLibrary { database, directory in
      let url = directory.appending(path: "archive/2026/library.sqlite")
      try database.whileClosed { files in
        try files.move(to: url)
        #expect(try Library.names(in: directory) == ["archive"])
      }
      #expect(try Library.names(in: url.deletingLastPathComponent()) == ["library.sqlite"])
      let moved = try Database(at: url)
      #expect(try Library.count(moved) == 3)
      // Using the database at the old location creates an empty one.
      #expect(try database.read { db in try db.schema() } == [])
    }
  }

  @Test(.behaviour("A-WC-09"))
  func `moving a database preserves the write-ahead log of a killed process`() throws {
    try withLibrary { database, directory in
      let copy = directory.appending(path: "killed.sqlite")
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(
          atPath: directory.appending(path: "library.sqlite" + suffix).path,
          toPath: copy.path + suffix)
      }
      let url = directory.appending(path: "new.sqlite")
      try DatabaseFiles(at: copy).move(to: url)

      #expect(!FileManager.default.fileExists(atPath: copy.path + "-wal"))
      #expect(try Library.count(try Database(at: url)) == 3)
    }
  }

  @Test func `moving a database to another file system copies the files and removes the originals`()
    throws
  {
    guard FileManager.default.isWritableFile(atPath: "/dev/shm") else { return }
    try withLibrary { database, directory in
      let other = URL(filePath: "/dev/shm/undercroft-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: other) }
      let url = other.appending(path: "library.sqlite")
      try database.whileClosed { files in try files.move(to: url) }
      #expect(try Library.names(in: directory) == [])
      #expect(try Library.names(in: other) == ["library.sqlite"])
      #expect(try Library.count(try Database(at: url)) == 3)
    }
  }

  @Test func `moving a database to an existing file or from a missing file throws`() throws {
    try withLibrary { database, directory in
      for name in ["a", "b-wal"] {
        try Data("kept".utf8).write(to: directory.appending(path: name))
      }
      for name in ["a", "b", "library.sqlite"] {
        let error = #expect(throws: StorageError.self) {
          try database.whileClosed { try $0.move(to: directory.appending(path: name)) }
        }
        #expect(error?.code == .misuse)
      }
      let absent = try DatabaseFiles(at: directory.appending(path: "absent"))

      let error = #expect(throws: StorageError.self) {
        try absent.move(to: directory.appending(path: "new"))
      }
      #expect(error?.code == .unavailable)
      #expect(try Library.count(database) == 3)
    }
  }

  @Test func `the files of a damaged database can be moved and removed`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let bytes = Data("this is not a database, and never was one".utf8)
      try bytes.write(to: url)
      let away = directory.appending(path: "away")
      try DatabaseFiles(at: url).move(to: away)
      #expect(try Data(contentsOf: away) == bytes)
      try DatabaseFiles(at: away).remove()
      #expect(try Library.names(in: directory) == [])
    }
  }
}
