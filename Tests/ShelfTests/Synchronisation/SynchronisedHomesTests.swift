import Foundation
import ShelfCatalogue
import TestSupport
import Testing
import Undercroft
import UndercroftSync

/// Tests that synchronise two home directories of `shelf` in one process.
@Suite struct SynchronisedHomesTests {
  @Test
  func `after a synchronisation, both data directories have the notes and saved searches of both`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let homes = try TwoHomes(directory)
      try homes.first.note("lent to Ada", on: "dune")
      try homes.second.note("torn", on: "dune")
      try homes.second.save(SavedSearch(text: "sand", section: "novels"), as: "deserts")

      let exchanges = try await homes.synchronise()

      let notes = try homes.notes(on: "dune").map { $0.sorted() }
      #expect(notes == [["lent to Ada", "torn"], ["lent to Ada", "torn"]])
      #expect(try homes.first.savedTitles == ["compilers", "deserts", "libraries"])
      #expect(try homes.first.savedSearch("deserts").section == "novels")
      #expect(exchanges.map(\.sent) == [3, 4])
      #expect(exchanges.map(\.conflicts) == [0, 0])
    }
  }

  @Test func `a second synchronisation sends only the rows that have changed since the first`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let homes = try TwoHomes(directory)
      try await homes.synchronise()
      try homes.first.note("lent to Ada", on: "dune")

      let exchanges = try await homes.synchronise()

      #expect(exchanges.map(\.sent) == [1, 0])
      #expect(exchanges[1].received == 1)
      #expect(try await homes.synchronise().map(\.sent) == [0, 0])
    }
  }

  @Test
  func `of two saved searches with equal titles, the newer wins and the older becomes a conflict`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let homes = try TwoHomes(directory)
      try await homes.synchronise()
      try homes.first.save(SavedSearch(text: "gcc", section: nil), as: "compilers")
      // The time of a change has a resolution of one millisecond.
      try await Task.sleep(for: .milliseconds(5))
      try homes.second.save(SavedSearch(text: "clang", section: "devel"), as: "compilers")

      let exchanges = try await homes.synchronise()

      let later = SavedSearch(text: "clang", section: "devel")
      #expect(try homes.saved("compilers") == [later, later])
      #expect(exchanges.map(\.conflicts) == [1, 1])
      let conflict = try #require(try homes.first.conflicts().first)
      #expect(conflict.row == "saved_search \"compilers\"")
      #expect(conflict.values.contains("text=\"gcc\""))
    }
  }

  @Test func `restoring the lost value of a conflict closes the conflict in both data directories`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let homes = try TwoHomes(directory)
      try await homes.synchronise()
      try homes.first.save(SavedSearch(text: "gcc", section: nil), as: "compilers")
      try await Task.sleep(for: .milliseconds(5))
      try homes.second.save(SavedSearch(text: "clang", section: "devel"), as: "compilers")
      try await homes.synchronise()
      let identifier = try #require(try homes.first.conflicts().first?.identifier)

      #expect(throws: NotFound.self) { try homes.first.answer("", restoring: true) }
      try homes.first.answer(identifier, restoring: true)
      try await homes.synchronise()

      #expect(try homes.saved("compilers").map(\.text) == ["gcc", "gcc"])
      #expect(try homes.first.conflicts() == [])
      #expect(try homes.second.conflicts() == [])
      #expect(throws: NotFound.self) { try homes.first.answer(identifier, restoring: false) }
    }
  }

  @Test func `a synchronisation that is interrupted at any request is completed by the next one`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      for requests in 0..<8 {
        let homes = try TwoHomes(directory)
        let server = SyncServer(store: InMemorySyncStore(), tables: SyncedTable.shelf) { _, _ in
          .readWrite
        }
        try homes.first.note("lent to Ada", on: "dune")
        try homes.second.note("torn", on: "dune")
        let engines = try [homes.first, homes.second].map { home in
          try home.syncEngine(
            scope: "test", peer: FailingPeer(server.peer(account: "shelf"), after: requests))
        }
        for engine in engines { _ = try? await engine.sync() }

        for home in [homes.first, homes.second, homes.first] {
          _ = try await home.syncEngine(scope: "test", peer: server.peer(account: "shelf")).sync()
        }

        // Two notes of the same millisecond are in the order of their arrival.
        let notes = try homes.notes(on: "dune").map { $0.sorted() }
        #expect(
          notes == [["lent to Ada", "torn"], ["lent to Ada", "torn"]], "after \(requests) requests")
      }
    }
  }

  @Test func `synchronising with a data directory that already has a server uses that server`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let homes = try TwoHomes(directory)
      let third = try TwoHomes(directory).second
      try await homes.synchronise()
      try homes.first.note("lent to Ada", on: "dune")

      _ = try await third.synchronise(
        with: homes.first, server: nil, standard: directory.appending(path: "unused"))

      #expect(try third.packages(named: "dune").first?.notes == ["lent to Ada"])
      #expect(
        !FileManager.default.fileExists(atPath: directory.appending(path: "unused").path))
    }
  }

  @Test func `synchronising data directories whose server is missing throws and changes no rows`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let homes = try TwoHomes(directory)
      try homes.first.note("lent to Ada", on: "dune")
      try await homes.synchronise()
      try FileManager.default.moveItem(
        at: homes.server, to: directory.appending(path: "moved"))

      let error = await #expect(throws: NotFound.self) { try await homes.synchronise() }

      #expect(error?.description.contains("the server of the homes is not in") == true)
      #expect(!FileManager.default.fileExists(atPath: homes.server.path))
      // A server that does not know the homes would remove their rows.
      _ = try HomeServerFolder.makeEmpty(at: homes.server)
      await #expect(throws: NotFound.self) { try await homes.synchronise() }
      let moved = directory.appending(path: "moved")
      _ = try await homes.first.synchronise(
        with: homes.second, server: moved, standard: homes.server)
      #expect(try homes.notes(on: "dune") == [["lent to Ada"], ["lent to Ada"]])
    }
  }

  @Test func `synchronising two data directories that use different servers throws an error`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let homes = try TwoHomes(directory)
      let others = try TwoHomes(directory)
      try await homes.synchronise()
      _ = try await others.first.synchronise(
        with: others.second, server: nil, standard: directory.appending(path: "other"))

      let error = await #expect(throws: NotFound.self) {
        try await homes.first.synchronise(
          with: others.first, server: nil, standard: homes.server)
      }

      #expect(error?.description.contains("not with each other") == true)
    }
  }

  @Test
  func `a data directory that stops synchronising retains its rows and can synchronise again`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let homes = try TwoHomes(directory)
      try homes.first.note("lent to Ada", on: "dune")
      try await homes.synchronise()

      for home in [homes.first, homes.second] { try await home.stopSynchronising() }

      #expect(try homes.notes(on: "dune") == [["lent to Ada"], ["lent to Ada"]])
      #expect(throws: NotFound.self) { try homes.first.conflicts() }
      _ = try await homes.first.synchronise(
        with: homes.second, server: nil, standard: directory.appending(path: "other"))
      #expect(try homes.first.savedTitles == ["compilers", "libraries"])
    }
  }

  @Test func `opening a catalogue moves saved searches from documents into a table`() throws {
    let storage = try CatalogueInput.memory()
    let search = SavedSearch(text: "sand", section: "novels")
    try storage.save(search, for: .savedSearch("deserts"))

    let catalogue = try Catalogue(storage)

    #expect(try catalogue.savedSearch("deserts") == search)
    #expect(try storage.names(of: .document).isEmpty)
  }

  @Test func `saving a search with an empty title throws an error`() throws {
    let catalogue = try Catalogue(try CatalogueInput.memory())

    #expect(throws: InputError.emptyTitle) {
      try catalogue.save(SavedSearch(text: "sand", section: nil), as: "")
    }
  }
}

/// Functions that create the folder of a server without data.
private enum HomeServerFolder {
  static func makeEmpty(at folder: URL) throws {
    try SQLiteSyncStore(at: folder.appending(path: "store")).close()
  }
}
