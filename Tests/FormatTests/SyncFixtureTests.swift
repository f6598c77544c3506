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
