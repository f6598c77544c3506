import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// Tests of unusual files, encodings and locations.
@Suite struct OddFileAttackTests {
  private static let pragmas = [
    "PRAGMA page_size = 512", "PRAGMA page_size = 65536", "PRAGMA auto_vacuum = FULL",
    "PRAGMA auto_vacuum = INCREMENTAL", "PRAGMA encoding = 'UTF-16le'",
    "PRAGMA encoding = 'UTF-16be'",
  ]

  /// Creates a file at version 1 with a pragma set at its creation.
  private func withFile(_ pragma: String, _ body: (URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let options = DatabaseOptions(setUp: { db in
        _ = try db.execute(SQL(unchecked: pragma))
      })
      let database = try Database(
        at: url, options.migrating(with: LibraryVersions.migrator(upTo: 1)))
      try database.write { db in
        try db.execute(
          "INSERT INTO book (id, title, author) VALUES (1, 'Émma', 'Austen'), (7, 'Persuasion', 'Austen')"
        )
      }
      try database.close()
      try body(url)
    }
  }

  @Test(arguments: pragmas)
  func `a migration preserves the page size, auto-vacuum mode and encoding of a file`(
    pragma: String
  ) throws {
    try withFile(pragma) { (url) throws in
      let form: SQL =
        "SELECT (SELECT page_size FROM pragma_page_size) || ' ' || (SELECT auto_vacuum FROM pragma_auto_vacuum) || ' ' || (SELECT encoding FROM pragma_encoding)"
      let before = try Database(at: url).fetchValue(form, as: String.self)
      let database = try Database(at: url, .init(migrator: LibraryVersions.migrator))

      #expect(
        try LibraryVersions.books(in: database, version: 6) == [
          "1 Émma Austen", "7 Persuasion Austen",
        ])
      #expect(try database.fetchValue(form, as: String.self) == before)
    }
  }

  @Test(arguments: pragmas, [MigrationFallback.restoreSnapshot, .recreate, .openReadOnly])
  func `after a failed migration, other connections remain usable for any page size or encoding`(
    pragma: String, fallback: MigrationFallback
  ) throws {
    try withFile(pragma) { (url) throws in
      let other = try Database(at: url)
      _ = try other.fetchValue("SELECT count(*) FROM book", as: Int.self)
      try other.write { db in try db.execute("UPDATE book SET title = title") }

      var steps = LibraryVersions.steps
      steps[3] = MigrationStep("4", up: "DELETE FROM book; INSERT INTO nowhere VALUES (1);")
      var migrator = Migrator(steps, schema: LibraryVersions.newest)
      migrator.fallback = { _ in fallback }
      let here = try Database(at: url)
      var found: (any Error)?
      do { try migrator.migrate(here) } catch { found = error }
      #expect(
        (found as? StorageError)?.message.contains("could not be restored") != true,
        "\(String(describing: found))")

      for database in [here, other, try Database(at: url)] {
        #expect(try database.integrityCheck() == [])
        if fallback == .recreate {
          #expect(try database.fetchValue("SELECT count(*) FROM book", as: Int.self) == 0)
          try database.write { db in
            try db.execute("INSERT INTO author (name) VALUES (hex(randomblob(8)))")
            try db.execute("INSERT INTO book (title, isbn) SELECT 'ä', hex(zeroblob(3000))")
            try db.execute("DELETE FROM book")
          }
        } else {
          #expect(
            try database.fetchAll("SELECT title FROM book ORDER BY id") { row in
              try row[0] as String
            }
              == ["Émma", "Persuasion"])
          try database.write { db in
            try db.execute("INSERT INTO book (title, author) SELECT 'ä', hex(zeroblob(3000))")
            try db.execute("DELETE FROM book WHERE title = 'ä'")
          }
        }
        #expect(try database.integrityCheck() == [])
      }
    }
  }

  // MARK: Places

  @Test(arguments: [
    "a b c.sqlite", "日本語 🗄️.sqlite", "e\u{301}.sqlite", "100%.sqlite", "#?&=.sqlite",
    "'\"`;--.sqlite",
    String(repeating: "n", count: 100), String(repeating: "n", count: 240),
    String(repeating: "ü", count: 120),
    ".version-1.snapshot", "line\nbreak", "-wal",
  ])
  func `a migration creates a snapshot for any file name, or throws if the file name is too long`(
    name: String
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: name, directoryHint: .notDirectory)
      try LibraryVersions.makeFile(at: url, version: 1)
      if name.utf8.count > 230 {
        let error = #expect(throws: StorageError.self) {
          try Database(at: url, .init(migrator: LibraryVersions.migrator))
        }
        #expect(error?.message.contains("too long") == true)
        #expect(try LibraryVersions.books(in: try Database(at: url), version: 1).count == 2)
        return
      }

      var steps = LibraryVersions.steps
      steps[3] = MigrationStep("4", up: "DELETE FROM book; INSERT INTO nowhere VALUES (1);")
      var broken = Migrator(steps, schema: LibraryVersions.newest)
      broken.fallback = { _ in .restoreSnapshot }
      #expect(throws: StorageError.self) { try Database(at: url, .init(migrator: broken)) }
      #expect(try LibraryVersions.books(in: try Database(at: url), version: 1).count == 2)

      let database = try Database(at: url, .init(migrator: LibraryVersions.migrator))
      #expect(try LibraryVersions.books(in: database, version: 6).count == 2)
      #expect(try MigrationSnapshot.all(of: url).map(\.version) == ["1"])

      _ = try LibraryVersions.migrator.dryRun(of: database, to: "6")
      for snapshot in try MigrationSnapshot.all(of: url) { try snapshot.discard() }
      #expect(try MigrationSnapshot.all(of: url).isEmpty)
    }
  }

  @Test
  func `a migration through a symbolic link creates a snapshot of the linked database file`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 1)
      let links = directory.appending(path: "links")
      try FileManager.default.createDirectory(at: links, withIntermediateDirectories: true)
      let link = links.appending(path: "other-name.sqlite")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
      let database = try Database(at: link, .init(migrator: LibraryVersions.migrator))

      #expect(try LibraryVersions.books(in: database, version: 6).count == 2)
      #expect(try MigrationSnapshot.all(of: link).count == 1)
      #expect(try MigrationSnapshot.all(of: url).count == 1)
    }
  }

  enum Obstacle: CaseIterable {
    case folder, link, dangling, linkToItself, noDatabase, empty, otherDatabase
  }

  @Test(arguments: Obstacle.allCases)
  func `a migration does not overwrite an unrelated file at the path of its snapshot`(
    obstacle: Obstacle
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 1)
      let snapshotURL = URL(filePath: url.path() + ".version-1.snapshot")
      let other = directory.appending(path: "other.sqlite")
      try LibraryVersions.makeFile(at: other, version: 6)
      let files = FileManager.default
      switch obstacle {
      case .folder: try files.createDirectory(at: snapshotURL, withIntermediateDirectories: false)
      case .link: try files.createSymbolicLink(at: snapshotURL, withDestinationURL: other)
      case .dangling:
        try files.createSymbolicLink(
          at: snapshotURL, withDestinationURL: directory.appending(path: "gone"))
      case .linkToItself: try files.createSymbolicLink(at: snapshotURL, withDestinationURL: url)
      case .noDatabase:
        try Data(
          "a letter, and a long one at that, in more than a hundred bytes, so that it is none of those"
            .utf8
        ).write(to: snapshotURL)
      case .empty: try Data().write(to: snapshotURL)
      case .otherDatabase: try LibraryVersions.makeFile(at: snapshotURL, version: 2)
      }

      var found: StorageError?
      do throws(StorageError) {
        try Database(at: url, .init(migrator: LibraryVersions.migrator)).close()
      } catch {
        found = error
      }

      let after = try Database(at: url)
      let version = found == nil ? 6 : 1
      #expect(try LibraryVersions.migrator.version(of: after) == "\(version)")
      #expect(try LibraryVersions.books(in: after, version: version).count == 2)
      // The migration has not overwritten the other database.
      #expect(try LibraryVersions.migrator.version(of: try Database(at: other)) == "6")
      if obstacle == .noDatabase { #expect(try Data(contentsOf: snapshotURL).count < 200) }
      if let found { #expect(found.message.contains("snapshot"), "\(found)") }
    }
  }

  // MARK: Much

  @Test(.heavy)
  func `a migration of 1,000 steps, or of 5,000 tables, takes less than 90 seconds of CPU time`()
    throws
  {
    let steps = (1...1_000).map { number in
      MigrationStep(
        "\(number)",
        up: SQL(unchecked: "CREATE TABLE t\(number) (id INTEGER PRIMARY KEY, a REFERENCES t1 (id))")
      )
      .down(SQL(unchecked: "DROP TABLE t\(number)"))
    }
    let schema = (1...1_000).map {
      "CREATE TABLE t\($0) (id INTEGER PRIMARY KEY, a REFERENCES t1 (id))"
    }
    let migrator = Migrator(steps, schema: SQL(unchecked: schema.joined(separator: ";\n")))
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let old = Migrator([steps[0]], schema: SQL(unchecked: schema[0]))
      try Database(at: url, .init(migrator: old)).close()

      let began = workOfThisThread()
      let database = try Database(at: url, .init(migrator: migrator))
      #expect(try migrator.version(of: database) == "1000")
      let took = workOfThisThread() - began
      print("1,000 steps: \(took)")
      #expect(took < .seconds(90))

      try database.write { db in
        for number in 1...4_000 { try db.execute(SQL(unchecked: "CREATE TABLE more\(number) (a)")) }
      }

      let then = workOfThisThread()
      try migrator.migrate(database, to: "995")
      try migrator.migrate(database)
      try database.writeWithoutTransaction { db in
        try db.execute("PRAGMA foreign_keys = OFF")
        try db.renameColumn("a", of: "more17", to: "b")
      }
      print("5,000 tables: \(workOfThisThread() - then)")
      #expect(workOfThisThread() - then < .seconds(60))
    }
  }

  @Test(.heavy) func `migrating up and down many times leaves a consistent migration history`()
    throws
  {
    let database = try Database.inMemory()
    let migrator = try LibraryVersions.migrator(upTo: 4)

    try migrator.migrate(database)
    for _ in 0..<150 {
      try migrator.migrate(database, to: "1")
      try migrator.migrate(database, to: "4")
    }

    #expect(try database.fetchValue("SELECT count(*) FROM undercroft_migration", as: Int.self) == 4)
    #expect(
      try database.fetchValue("SELECT max(position) FROM undercroft_migration", as: Int.self) == 4)
    let versions = try database.fetchAll(
      "SELECT version FROM undercroft_migration ORDER BY position"
    ) {
      row in try row[0] as String
    }
    #expect(versions == ["1", "2", "3", "4"])
    #expect(try migrator.plan(for: database).isEmpty)
  }

  @Test
  func `a file loses no rows if programs with different migrators migrate the file concurrently`()
    throws
  {
    try withTemporaryDirectory { directory in
      for round in 0..<6 {
        let url = directory.appending(path: "library-\(round).sqlite")
        try LibraryVersions.makeFile(at: url, version: 1)
        let errors = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
          do {
            let migrator = try LibraryVersions.migrator(upTo: [6, 3, 5, 2][worker % 4])
            try Database(at: url, .init(lockTimeout: .hangLimit).migrating(with: migrator))
              .close()
          } catch let error as StorageError where error.code == .unknownVersion {
            // Another program has already migrated the file to a later version.
          } catch {
            errors.withLock { $0.append("\(error)") }
          }
        }
        #expect(errors.withLock { $0 } == [])
        let database = try Database(at: url, .init(migrator: LibraryVersions.migrator))
        #expect(try LibraryVersions.books(in: database, version: 6).count == 2)
        #expect(try database.integrityCheck() == [])
      }
    }
  }

  @Test func `other connections can read and write a file while it is migrated`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 1)
      let app = try Database(at: url, .init(lockTimeout: .hangLimit))
      let isOver = Mutex(false)
      let errors = Mutex<[String]>([])
      let written = Mutex(0)
      let group = DispatchGroup()
      for worker in 0..<4 {
        // Uses dedicated threads, because the threads of the shared queue may be busy with other
        // tests.
        group.enter()
        Thread.detachNewThread {
          defer { group.leave() }
          while !isOver.withLock({ $0 }) {
            do {
              if worker == 0 {
                try app.write { db in
                  guard try db.columnExists("author", of: "book") else { return }
                  try db.execute("INSERT INTO book (title, author) VALUES ('New', 'Burney')")
                }
                written.withLock { $0 += 1 }
              } else {
                let count = try app.fetchValue("SELECT count(*) FROM book", as: Int.self)
                if count < 2 { errors.withLock { $0.append("\(count) books") } }
              }
            } catch {
              errors.withLock { $0.append("\(error)") }
            }
            usleep(500)
          }
        }
      }

      let deadline = ContinuousClock.now + .hangLimit
      while written.withLock({ $0 }) == 0, ContinuousClock.now < deadline { usleep(1_000) }
      do {
        try Database(
          at: url, .init(lockTimeout: .hangLimit).migrating(with: LibraryVersions.migrator)
        ).close()
      } catch {
        errors.withLock { $0.append("\(error)") }
      }
      isOver.withLock { $0 = true }
      group.wait()

      #expect(Set(errors.withLock { $0 }) == [])
      #expect(written.withLock { $0 } > 0)
      #expect(try app.integrityCheck() == [])
      #expect(try app.foreignKeyCheck().isEmpty)
    }
  }
}
