import FixtureLibrary
import Foundation
import Synchronization
import Testing
import Undercroft

/// Tests of databases whose migrations earlier versions ran, recorded or left unfinished.
@Suite struct MigrationFixtureTests {
  private func file(in folder: URL) -> URL { folder.appending(path: "library.sqlite") }

  /// Returns every recorded version with its origin.
  private func record(of database: Database) throws -> [String] {
    try database.fetchAll("SELECT version, origin FROM undercroft_migration ORDER BY position") {
      row in "\(try row[0] as String) \(try row[1] as String)"
    }
  }

  private func expectAllBlurbs(in database: Database) throws {
    let blurbs = try database.fetchAll("SELECT book, text FROM blurb ORDER BY book") { row in
      "\(try row[0] as Int): \(try row[1] as String)"
    }
    #expect(blurbs == (1...LibraryMigrations.bookCount).map { "\($0): about \($0)" })
    let titles = try database.fetchAll("SELECT title FROM book ORDER BY id") { try $0[0] as String }
    #expect(titles == (1...LibraryMigrations.bookCount).map { "Book \($0)" })
  }

  private func expectFirstVersion(of database: Database) throws {
    let books = try database.fetchAll("SELECT id, title, blurb FROM book ORDER BY id") { row in
      "\(try row[0] as Int) \(try row[1] as String) \(try row[2] as String)"
    }
    #expect(books == (1...LibraryMigrations.bookCount).map { "\($0) Book \($0) about \($0)" })
  }

  private func addBook(to database: Database) throws {
    try database.execute("INSERT INTO book (id, title, isbn) VALUES (99, 'Emma', '0-19-953552-8')")
  }

  @Test(arguments: [
    ("migration-created", "created"), ("migration-steps", "step"), ("migration-adopted", "step"),
  ])
  func `a migrator reads a migration history of an earlier release and repeats no step`(
    name: String, origin: String
  ) throws {
    let fixtures =
      switch name {
      case "migration-created": try Fixture.all("migration-created")
      case "migration-steps": try Fixture.all("migration-steps")
      default: try Fixture.all("migration-adopted")
      }
    for fixture in fixtures {
      try fixture.withCopy { folder in
        let first = ["migration-created": "created", "migration-adopted": "adopted"][name]
        let expected = ["1 \(first ?? "created")", "2 \(origin)", "3 \(origin)"]
        let database = try LibraryMigrations().open(file(in: folder))

        #expect(try record(of: database) == expected)
        if name != "migration-created" { try expectAllBlurbs(in: database) }
        try addBook(to: database)
        try database.close()

        let again = try LibraryMigrations().open(file(in: folder))
        #expect(try record(of: again) == expected)
        #expect(
          try again.fetchValue("SELECT title FROM book WHERE id = 99", as: String.self) == "Emma")
      }
    }

    #expect(!fixtures.isEmpty)
  }

  @Test(arguments: try Fixture.all("migration-steps"))
  func `with the downgrade policy, a migrator runs the down scripts stored in a newer database`(
    fixture: Fixture
  ) throws {
    try fixture.withCopy { folder in
      var migrator = LibraryMigrations().migrator(upTo: 1)
      migrator.newerVersionPolicy = .downgrade

      let database = try Database(at: file(in: folder), .init(migrator: migrator))

      #expect(try record(of: database) == ["1 created"])
      try expectFirstVersion(of: database)
    }
  }

  @Test(arguments: try Fixture.all("migration-unfinished"))
  func `opening a database resumes an interrupted migration step after the last committed slice`(
    fixture: Fixture
  ) throws {
    try fixture.withCopy { folder in
      #expect(
        try names(in: folder) == ["library.sqlite", "library.sqlite.version-1.snapshot"])
      let slices = Slices()
      var migrations = LibraryMigrations()
      migrations.amidSlice = { slices.add($0) }

      let database = try migrations.open(file(in: folder))

      #expect(slices.all == [10, 15, 20])
      #expect(try record(of: database) == ["1 created", "2 step", "3 step"])
      #expect(
        try database.fetchValue("SELECT count(*) FROM undercroft_migration_run", as: Int.self) == 0)
      try expectAllBlurbs(in: database)
      try addBook(to: database)
      try database.close()
      let again = try LibraryMigrations().open(file(in: folder))
      #expect(try again.fetchValue("SELECT count(*) FROM book", as: Int.self) == 21)
    }
  }

  @Test(arguments: try Fixture.all("migration-unfinished"))
  func `if a resumed migration fails, the fallback .restoreSnapshot restores the snapshot file`(
    fixture: Fixture
  ) throws {
    try fixture.withCopy { folder in
      var migrations = LibraryMigrations()
      migrations.fails = true
      var migrator = migrations.migrator()
      migrator.fallback = { _ in .restoreSnapshot }

      #expect(throws: StorageError.self) {
        try Database(at: file(in: folder), .init(migrator: migrator))
      }

      let database = try LibraryMigrations().open(file(in: folder), upTo: 1)
      #expect(try record(of: database) == ["1 created"])
      try expectFirstVersion(of: database)
    }
  }

  @Test(arguments: try Fixture.all("migration-unfinished"))
  func `opening a file throws unknownVersion if the migrator lacks the interrupted step`(
    fixture: Fixture
  ) throws {
    try fixture.withCopy { folder in
      let error = #expect(throws: StorageError.self) {
        try LibraryMigrations().open(file(in: folder), upTo: 1)
      }

      #expect(error?.code == .unknownVersion)
    }
  }

  @Test(arguments: try Fixture.all("migration-afresh"))
  func `the database and the snapshot that the fallback .recreate preserved can be opened`(
    fixture: Fixture
  ) throws {
    try fixture.withCopy { folder in
      let beside = ["library.sqlite.kept-1", "library.sqlite.version-1.snapshot"]
      #expect(try names(in: folder) == ["library.sqlite"] + beside)

      let database = try LibraryMigrations().open(file(in: folder))
      #expect(try record(of: database) == ["1 created", "2 created", "3 created"])
      #expect(try database.fetchValue("SELECT count(*) FROM book", as: Int.self) == 0)
      try addBook(to: database)
      try database.close()

      for name in beside {
        let old = try LibraryMigrations().open(folder.appending(path: name))
        #expect(try record(of: old) == ["1 created", "2 step", "3 step"], "\(name)")
        try expectAllBlurbs(in: old)
      }
    }
  }
}

/// The slices that a migration ran.
private final class Slices: Sendable {
  private let ends = Mutex<[Int64]>([])

  var all: [Int64] { ends.withLock { $0 } }

  func add(_ end: Int64) { ends.withLock { $0.append(end) } }
}
