import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

@Suite struct MigrationSnapshotTests {
  @Test
  func
    `before its first step, a migration creates a snapshot, which exists until discard is called`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 2)
      let log = MigrationLog()
      var migrator = LibraryVersions.migrator
      migrator.onEvent = { log.append($0) }

      let database = try Database(at: url, .init(migrator: migrator))

      #expect(log.events.prefix(3) == ["will migrate 2 6", "snapshot", "will run up from 2 to 3"])
      let snapshots = try MigrationSnapshot.all(of: url)
      #expect(snapshots.map(\.version) == ["2"])
      let snapshot = try #require(snapshots.first)
      #expect(snapshot.location.lastPathComponent == "library.sqlite.version-2.snapshot")
      #expect(try snapshot.byteCount() > 0)

      let attributes = try FileManager.default.attributesOfItem(atPath: snapshot.location.path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      let copy = try Database(at: snapshot.location, .init(isReadOnly: true))
      #expect(try LibraryVersions.books(in: copy, version: 2).count == 2)
      try copy.close()

      try snapshot.discard()
      try snapshot.discard()

      #expect(try MigrationSnapshot.all(of: url) == [])
      #expect(try LibraryVersions.books(in: database, version: 6).count == 2)
    }
  }

  @Test func `a migration creates no snapshot if takesSnapshot is false`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 2)
      var migrator = LibraryVersions.migrator
      migrator.takesSnapshot = false

      #expect(try migrator.plan(for: try Database(at: url)).snapshot == nil)
      _ = try Database(at: url, .init(migrator: migrator))
      #expect(try MigrationSnapshot.all(of: url) == [])
    }
  }

  @Test
  func `listing the snapshots of a file omits those of a file with a canonically equivalent name`()
    throws
  {
    try withTemporaryDirectory { directory in
      for name in ["\u{e9}.sqlite", "e\u{301}.sqlite", "\u{301}.sqlite"] {
        let url = directory.appending(path: name)
        try LibraryVersions.makeFile(at: url, version: 2)
        #expect(try MigrationSnapshot.all(of: url) == [])

        try Database(at: url, .init(migrator: LibraryVersions.migrator)).close()
        let snapshots = try MigrationSnapshot.all(of: url)
        #expect(snapshots.map(\.version) == ["2"])
        for snapshot in snapshots { #expect(try snapshot.byteCount() > 0) }
      }
    }
  }

  @Test func `a migration snapshot can be created for any version name`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let name = "Zwei/\"../ü"
      let first = MigrationStep(name, up: "CREATE TABLE book (id INTEGER PRIMARY KEY)")
      try Migrator([first], schema: "CREATE TABLE book (id INTEGER PRIMARY KEY)")
        .migrate(try Database(at: url))
      let both = Migrator(
        [first, MigrationStep("3", up: "ALTER TABLE book ADD COLUMN title")],
        schema: "CREATE TABLE book (id INTEGER PRIMARY KEY, title)")

      try both.migrate(try Database(at: url))
      #expect(try MigrationSnapshot.all(of: url).map(\.version) == [name])
    }
  }

  @Test func `an interrupted migration continues with its original snapshot`() throws {
    try withTemporaryDirectory { directory in
      struct Enough: Error {}
      let url = directory.appending(path: "library.sqlite")
      try LibraryVersions.makeFile(at: url, version: 1)
      var migrator = LibraryVersions.migrator
      migrator.onEvent = { event in
        if case .didRun(let transition) = event, transition.to == "3" { throw Enough() }
      }
      let database = try Database(at: url)
      #expect(throws: Enough.self) { try migrator.migrate(database) }

      let plan = try LibraryVersions.migrator.plan(for: database)
      #expect(plan.isUnfinished)
      #expect(plan.snapshot?.version == "1")

      guard
        case .migrated(let from, _, let snapshot) = try LibraryVersions.migrator.migrate(database)
      else { throw Enough() }
      #expect(from == "3")
      #expect(snapshot?.version == "1")
      #expect(try MigrationSnapshot.all(of: url).map(\.version) == ["1"])
    }
  }

  @Test
  func `a migration throws before its first step if the name of its snapshot would be too long`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: String(repeating: "b", count: 240))
      try LibraryVersions.makeFile(at: url, version: 2)
      var migrator = LibraryVersions.migrator
      let database = try Database(at: url)

      let error = try #require(throws: StorageError.self) { try migrator.migrate(database) }
      #expect(error.message.contains("would have 267 bytes, and the limit is 255 bytes"))
      #expect(error.message.contains("takesSnapshot"))
      #expect(try migrator.version(of: database) == "2")

      migrator.takesSnapshot = false
      try migrator.migrate(database)
      #expect(try migrator.version(of: database) == "6")
    }
  }
}
