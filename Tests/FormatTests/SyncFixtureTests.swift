import FixtureLibrary
import Foundation
import Testing
import Undercroft
import UndercroftSync

/// Tests that open the databases of devices and of a server that earlier versions wrote.
@Suite struct SyncFixtureTests {
  @Test(arguments: try Fixture.all("synchronised"))
  func `a device reads the conflicts and the unsent changes that an earlier release stored`(
    fixture: Fixture
  ) throws {
    try fixture.withCopy { folder in
      let library = try SyncedLibrary(in: folder)
      let (phone, desk) = (try library.database("phone"), try library.database("desk"))

      let engines = (try library.engine(of: phone), try library.engine(of: desk))

      let dirty = try phone.fetchAll(
        "SELECT tablename || ' ' || primaryKey || ' ' || state FROM DirtyList ORDER BY 1"
      ) { row in try row[0] as String }
      #expect(dirty == ["book b1 sealed", "book b3 pending"])
      #expect(engines.0.currentStatus.pending == 2)
      guard case .lost(let conflict)? = try engines.1.conflicts().first else {
        Issue.record("there is no conflict")
        return
      }
      #expect(conflict.kind == .operationValuesLost)
      #expect(conflict.policy == "server_wins")
      #expect(conflict.values["title"]?.value == .text("Children of Dune"))
    }
  }

  @Test(arguments: try Fixture.all("synchronised"))
  func `devices and a server open the files of an earlier release and synchronise`(
    fixture: Fixture
  ) async throws {
    try await fixture.withCopy { folder in
      let library = try SyncedLibrary(in: folder)
      let databases = [try library.database("phone"), try library.database("desk")]
      let engines = try databases.map { try library.engine(of: $0) }

      for engine in engines + engines { try await engine.sync() }

      for database in databases {
        #expect(try SyncedLibrary.books(in: database) == SyncedLibrary.afterSynchronising)
        #expect(try database.integrityCheck() == [])
      }
      #expect(engines.map(\.currentStatus.pending) == [0, 0])
      try databases[1].execute("UPDATE book SET title = 'Odyssey' WHERE id = 'b3'")
      for engine in [engines[1], engines[0]] { try await engine.sync() }
      #expect(try SyncedLibrary.books(in: databases[0]).last?.hasPrefix("b3 Odyssey") == true)
    }
  }

  @Test(arguments: try Fixture.all("synchronised"))
  func `unsent changes in a device's file of an earlier release are converted and sent`(
    fixture: Fixture
  ) async throws {
    try await fixture.withCopy { folder in
      let library = try SyncedLibrary(in: folder)
      let (phone, desk) = (try library.database("phone"), try library.database("desk"))
      // The triggers of the earlier release capture these changes: a change after a sealed one, an
      // insertion that is deleted, a deletion with a later insertion of the same key, a new integer
      // key, and a deletion of an integer key.
      try phone.write { db in
        try db.executeScript(
          """
          UPDATE book SET note = 'unsent' WHERE id = 'b1';
          INSERT INTO book(id, title) VALUES ('b4', 'Emma'), ('b5', 'Persuasion');
          DELETE FROM book WHERE id = 'b4';
          DELETE FROM book WHERE id = 'b1';
          INSERT INTO book(id, title, loans) VALUES ('b1', 'Dune again', 9);
          PRAGMA defer_foreign_keys = 1;
          UPDATE author SET id = 70 WHERE id = 7;
          UPDATE book SET author = 70 WHERE author = 7;
          DELETE FROM author WHERE name = 'Homer';
          INSERT INTO author(name) VALUES ('Jane Austen');
          """)
      }

      let engines = [try library.engine(of: phone), try library.engine(of: desk)]
      for engine in engines + engines { try await engine.sync() }

      #expect(try phone.fetchValue("SELECT format FROM sync_clock", as: Int.self) == 2)
      let names = try [phone, desk].map { database in
        try database.fetchAll("SELECT name FROM author ORDER BY name") { row in try row[0] as String
        }
      }
      #expect(names == [["Frank Herbert", "Jane Austen"], ["Frank Herbert", "Jane Austen"]])
      let books = try SyncedLibrary.books(in: phone)
      #expect(try SyncedLibrary.books(in: desk) == books)
      #expect(books.map { $0.prefix(2) } == ["b1", "b3", "b5"])
      for database in [phone, desk] {
        #expect(try database.fetchValue("SELECT count(*) FROM sync_shadow_2", as: Int.self) == 0)
        #expect(try database.integrityCheck() == [])
      }
    }
  }

  @Test(arguments: try Fixture.all("synchronised"))
  func `synchronisation can be removed from a device's file of an earlier release`(
    fixture: Fixture
  ) throws {
    try fixture.withCopy { folder in
      let phone = try SyncedLibrary(in: folder).database("phone")

      try SyncSchema.remove(from: phone)

      let names: [String] = try phone.fetchAll(
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'trigger', 'view')"
      ) { row in try row[0] }
      #expect(names.filter { $0.hasPrefix("sync") || $0 == "DirtyList" } == [])
      #expect(try SyncedLibrary.books(in: phone).count == 2)
    }
  }

  @Test(arguments: try Fixture.all("synchronised"))
  func `a new device pulls all rows from a server whose files an earlier release wrote`(
    fixture: Fixture
  )
    async throws
  {
    try await fixture.withCopy { folder in
      let library = try SyncedLibrary(in: folder)
      let database = try library.database("new")

      try await library.engine(of: database).sync()

      #expect(
        try SyncedLibrary.books(in: database) == ["b1 Dune Messiah 'torn' 5 Frank Herbert"])
      #expect(try database.fetchValue("SELECT count(*) FROM author", as: Int.self) == 2)
    }
  }
}
