import BehaviourTrait
import Foundation
import Synchronization
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct BackupTests {
  private struct Refusal: Error, Equatable { let pages: Int }

  private func withLibrary(books: Int = 500, _ body: (Database, URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let home = directory.appending(path: "home")
      let database = try Database(at: home.appending(path: "library.sqlite"))
      try Library.fill(database, books: books)
      try body(database, directory)
    }
  }

  private func expectWhole(_ url: URL, books: Int) throws {
    let copy = try Database(at: url, DatabaseOptions(isReadOnly: true))
    #expect(try copy.integrityCheck() == [])
    try copy.read { db in
      #expect(try db.journalMode() == .delete)
      let count = try db.fetchOne("SELECT count(*) FROM book") { row in try row[0] as Int }
      #expect(count == books)
    }
    try copy.close()
  }

  @Test(.enabled(if: faults_are_available() != 0))
  func `a backup is complete even if every write system call writes only part of the bytes`() throws
  {
    try withLibrary { database, directory in
      let url = directory.appending(path: "library.copy")

      faults_arm(Int32(FAULTS_WRITE.rawValue), 1, .max, 0)
      defer { _ = faults_disarm() }
      try database.backUp(to: url)
      let calls = faults_disarm()

      #expect(calls > 2)
      try expectWhole(url, books: 500)
    }
  }

  @Test
  func `backUp writes one complete file that only its owner can access, and reports the progress`()
    throws
  {
    try withLibrary { database, directory in
      let folder = directory.appending(path: "backups/today")
      let url = folder.appending(path: "library.sqlite")
      var seen: [Database.BackupProgress] = []
      try database.backUp(to: url, pagesAtATime: 3) { seen.append($0) }
      #expect(seen.count > 10)
      #expect(seen.map(\.remainingPages) == seen.map(\.remainingPages).sorted(by: >))
      #expect(seen.last?.remainingPages == 0)
      #expect(try Library.names(in: folder) == ["library.sqlite"])
      #expect(try Library.mode(of: url) == 0o600)

      try expectWhole(url, books: 500)
      #expect(try Library.names(in: folder) == ["library.sqlite"])

      let opened = try Database(at: url)
      try opened.write { db in try Library.add(1, in: db) }
      #expect(try Library.count(opened) == 501)
    }
  }

  @Test(arguments: [false, true])
  func `a backup through a link to a non-UTF-8 path either succeeds or throws an error about UTF-8`(
    isLinkOfFile: Bool
  ) throws {
    try withLibrary(books: 10) { database, directory in
      let folder = Array("\(directory.path)/b\u{1}cher".utf8CString).map {
        $0 == 1 ? CChar(-4) : $0
      }
      #expect(mkdir(folder, 0o700) == 0)

      let link = directory.appending(path: "link")
      #expect(symlink(folder, link.path) == 0)

      var url = link.appending(path: "copy.sqlite")
      if isLinkOfFile {
        let file = folder.dropLast() + Array("/copy.sqlite".utf8CString)
        url = directory.appending(path: "copy.sqlite")
        #expect(symlink(Array(file), url.path) == 0)
      }
      do {
        try database.backUp(to: url)
        #expect(try Library.names(in: link) == ["copy.sqlite"])
        let copy = try Database(at: url)
        #expect(try Library.count(copy) == 10)
        try copy.write { db in try Library.add(5, in: db) }
        try copy.backUp(to: directory.appending(path: "own.sqlite"))
        try expectWhole(directory.appending(path: "own.sqlite"), books: 15)
        try copy.close()
        try database.backUp(to: url)
      } catch let error as StorageError {
        #expect(isLinkOfFile && error.message.contains("UTF-8"), "\(error)")
      }
      #expect(try Library.names(in: directory).filter { $0.contains("cher") }.count == 1)
    }
  }

  @Test func `a backup replaces an earlier copy and the write-ahead log of that copy`() throws {
    try withLibrary { database, directory in
      let url = directory.appending(path: "copy.sqlite")
      for books in [500, 700] {
        if books == 700 {
          try database.write { db in try Library.add(200, in: db) }
          try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
        }
        try database.backUp(to: url)
        #expect(try Library.mode(of: url) == 0o600)
        try expectWhole(url, books: books)
        // A killed process leaves its log. Closing removes the log, so the test writes it again
        // afterwards.
        let copy = try Database(at: url)
        try copy.write { db in try db.execute("DELETE FROM book") }
        let log = try Data(contentsOf: URL(filePath: url.path + "-wal"))
        try copy.close()
        try log.write(to: URL(filePath: url.path + "-wal"))
      }
      try database.backUp(to: url)
      try expectWhole(url, books: 700)
    }
  }

  @Test
  func `a backup cancelled by its progress closure leaves the earlier copy and no other file`()
    throws
  {
    try withLibrary { database, directory in
      let folder = directory.appending(path: "backups")
      let url = folder.appending(path: "library.sqlite")
      try database.backUp(to: url)
      let before = try Data(contentsOf: url)
      try database.write { db in try Library.add(100, in: db) }

      #expect(throws: Refusal(pages: 7)) {
        try database.backUp(to: url, pagesAtATime: 7) { progress in
          if progress.remainingPages < progress.totalPages - 14 { throw Refusal(pages: 7) }
        }
      }
      #expect(try Data(contentsOf: url) == before)
      #expect(try Library.names(in: folder) == ["library.sqlite"])
    }
  }

  @Test func `a backup removes the temporary files that a killed backup left`() throws {
    try withLibrary { database, directory in
      let folder = directory.appending(path: "backups")
      let url = folder.appending(path: "library.sqlite")
      try database.backUp(to: url)
      for name in [".undercroft-1f.tmp", ".undercroft-1f.tmp-journal"] {
        try Data("half".utf8).write(to: folder.appending(path: name))
      }
      try database.backUp(to: url)

      #expect(try Library.names(in: folder) == ["library.sqlite"])
    }
  }

  /// With an empty log the file itself is copied, and no checkpoint may write to it meanwhile.
  @Test(arguments: [false, true])
  func `a backup contains the state at its beginning despite concurrent writes`(
    hasEmptyLog: Bool
  ) throws {
    try withLibrary { database, directory in
      let url = directory.appending(path: "copy.sqlite")
      let other = try Database(at: directory.appending(path: "home/library.sqlite"))
      if hasEmptyLog { #expect(try database.checkpoint(.truncate).logFrames == 0) }
      try database.backUp(to: url, pagesAtATime: 5) { _ in
        for database in [database, other] {
          let written = inBackground {
            try database.write { db in
              try db.execute("UPDATE book SET title = title || '!'")
              try Library.add(1, in: db)
            }
            return try database.checkpoint()
          }
          let checkpoint = try written.wait()?.get()
          if hasEmptyLog { #expect(checkpoint?.checkpointedFrames == 0) }
        }
      }
      try expectWhole(url, books: 500)
      #expect(try Library.count(database) > 510)

      let changed = try Database(at: url).read { db in
        try db.fetchOne("SELECT count(*) FROM book WHERE title LIKE '%!'") { try $0[0] as Int }
      }
      #expect(changed == 0)
    }
  }

  @Test func `a backup of a truncated file throws a corruption error and leaves the earlier copy`()
    throws
  {
    try withLibrary { database, directory in
      let url = directory.appending(path: "copy.sqlite")
      try database.backUp(to: url)
      let before = try Data(contentsOf: url)
      let original = directory.appending(path: "home/library.sqlite")
      try database.checkpoint(.truncate)
      let size = try Data(contentsOf: original).count

      #expect(truncate(original.path, off_t(size / 2)) == 0)
      let error = #expect(throws: StorageError.self) { try database.backUp(to: url) }
      #expect(error?.code == .corrupted)
      #expect(try Data(contentsOf: url) == before)
    }
  }

  @Test
  func `overwriting a locked database throws an error that names the source and the destination`()
    throws
  {
    try withLibrary { database, directory in
      let url = directory.appending(path: "home/library.sqlite")
      let source = try Database(at: directory.appending(path: "other.sqlite"))
      let other = try Database(at: url)

      let error = try other.write { _ in
        try inBackground {
          #expect(throws: StorageError.self) {
            try database.overwrite(with: source, lockTimeout: .milliseconds(20))
          }
        }.wait()?.get()
      }

      #expect(error?.code == .locked)
      #expect(error?.message.contains(url.path) == true, "\(error as Any)")
      #expect(error?.message.contains("other.sqlite") == true, "\(error as Any)")
    }
  }

  @Test func `a backup copies the snapshot of a surrounding read, and throws inside a write`()
    throws
  {
    try withLibrary { database, directory in
      let url = directory.appending(path: "copy.sqlite")
      try database.read { db in
        _ = try db.fetchOne("SELECT 1 FROM book") { _ in 1 }
        _ = try inBackground { try database.write { db in try Library.add(5, in: db) } }
          .wait()?.get()
        try database.backUp(to: url)
      }
      try expectWhole(url, books: 500)
      let error = #expect(throws: StorageError.self) {
        try database.write { _ in try database.backUp(to: url) }
      }
      #expect(error?.code == .misuse)
      try expectWhole(url, books: 500)
    }
  }

  @Test(.behaviour("A-FM-55"))
  func `a database file can be loaded into memory, changed there and saved to the file again`()
    throws
  {
    try withLibrary { database, directory in
      let url = directory.appending(path: "home/library.sqlite")
      let memory = try Database.inMemory(
        loadedFrom: url, DatabaseOptions(lockTimeout: .milliseconds(50)))
      #expect(memory.location == nil)
      #expect(try Library.count(memory) == 500)

      try memory.write { db in try Library.add(20, in: db) }
      #expect(try Library.count(database) == 500)
      let error = #expect(throws: StorageError.self) { try memory.backUp(to: url) }
      #expect(error?.code == .locked)
      #expect(try Library.count(database) == 500)

      try database.close()
      try memory.backUp(to: url)
      try expectWhole(url, books: 520)
      #expect(try Library.names(in: directory.appending(path: "home")) == ["library.sqlite"])
      let missing = #expect(throws: StorageError.self) {
        try Database.inMemory(loadedFrom: directory.appending(path: "absent.sqlite"))
      }
      #expect(missing?.code == .unavailable)
      #expect(try Library.names(in: directory) == ["home"])
    }
  }

  @Test func `a backup to an invalid destination throws and changes no file`() throws {
    try withLibrary { database, directory in
      let home = directory.appending(path: "home")
      let own = home.appending(path: "library.sqlite")
      let list = directory.appending(path: "list.txt")
      try Data("a shopping list, and no database at all".utf8).write(to: list)
      let orphan = directory.appending(path: "orphan.sqlite-wal")
      try Data("log".utf8).write(to: orphan)
      let link = directory.appending(path: "link.sqlite")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: own)
      let targets: [(URL, StorageError.Code)] = [
        (home, .unavailable), (own, .misuse), (link, .misuse), (list, .unavailable),
        (directory.appending(path: "orphan.sqlite"), .unavailable),
        (list.appending(path: "below"), .io), (URL(filePath: "a\0b"), .misuse),
      ]
      for (url, code) in targets {
        for isVacuum in [false, true] {
          let error = #expect(throws: StorageError.self) {
            try isVacuum ? database.vacuum(into: url) : database.backUp(to: url)
          }
          #expect(error?.code == code, "\(url) \(error as Any)")
        }
      }

      #expect(try Data(contentsOf: list).count == 39)
      #expect(try Library.names(in: directory).filter { $0.hasPrefix(".") } == [])
      #expect(try Library.count(database) == 500)
    }
  }

  @Test func `a backup of a closed database throws a misuse error`() throws {
    try withLibrary { database, directory in
      try database.close()
      let error = #expect(throws: StorageError.self) {
        try database.backUp(to: directory.appending(path: "copy.sqlite"))
      }
      #expect(error?.code == .misuse)
      #expect(try Library.names(in: directory) == ["home"])
    }
  }

  @Test func `a backup to the path of a -wal, -shm or -journal file of a database is refused`()
    throws
  {
    try withLibrary(books: 3) { database, directory in
      // Empties the log, as if it were an unused file.
      try database.checkpoint(.truncate)
      let other = try Database.inMemory()
      guard let path = database.location?.path else { return }
      for suffix in ["-wal", "-shm", "-journal"] {
        let target = URL(filePath: path + suffix)
        for call in [
          { try database.backUp(to: target) }, { try database.vacuum(into: target) },
          { try other.backUp(to: target) }, { _ = try Database(at: target) },
        ] as [() throws -> Void] {
          let error = #expect(throws: StorageError.self) { try call() }
          #expect(error?.code == .unavailable)
          #expect(error?.message.contains("a log or journal of the database") == true)
        }
      }
      try database.write { db in try db.execute("DELETE FROM book WHERE id = 1") }

      #expect(try Library.count(try Database(at: URL(filePath: path))) == 2)
    }
  }

  @Test func `a backup to a dangling symbolic link creates the copy at the target of the link`()
    throws
  {
    try withLibrary(books: 3) { database, directory in
      let (link, copy) = (directory.appending(path: "link"), directory.appending(path: "a/copy"))
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: copy)
      try database.backUp(to: link)
      #expect(try Library.count(try Database(at: copy)) == 3)
    }
  }
}
