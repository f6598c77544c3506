import Foundation
import ShelfCatalogue
import TestSupport
import Testing
import Undercroft
import UndercroftSync

/// Tests of catalogues that are connected with a server, here one in the same process.
@Suite struct ConnectedHomesTests {
  private static let server = NetworkServer(address: "https://sync.example.org", account: "ada")

  private let peer = SyncServer(
    store: InMemorySyncStore(), tables: SyncedTable.shelf, access: { _, _ in .readWrite }
  ).peer(account: "ada")

  private func connect(_ homes: TwoHomes) async throws {
    for home in [homes.first, homes.second] { try await home.connect(to: Self.server, token: "t1") }
  }

  private func synchronise(_ homes: TwoHomes) async throws {
    for home in [homes.first, homes.second, homes.first] {
      _ = try await home.synchronise(through: peer)
    }
  }

  @Test func `two connected homes exchange notes, and an answered conflict is closed in both`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let homes = try TwoHomes(directory)
      try await connect(homes)
      try homes.first.note("lent to Ada", on: "dune")
      try await synchronise(homes)
      try homes.first.save(SavedSearch(text: "sand", section: nil), as: "deserts")
      try await Task.sleep(for: .milliseconds(5))
      try homes.second.save(SavedSearch(text: "spice", section: nil), as: "deserts")

      try await synchronise(homes)
      let conflict = try #require(try homes.first.conflicts().first?.identifier)
      try homes.first.answer(conflict, restoring: true)
      try await synchronise(homes)

      #expect(try homes.notes(on: "dune") == [["lent to Ada"], ["lent to Ada"]])
      let sand = SavedSearch(text: "sand", section: nil)
      #expect(try homes.saved("deserts") == [sand, sand])
      #expect(try homes.first.conflicts().isEmpty)
      #expect(try homes.second.conflicts().isEmpty)
    }
  }

  @Test func `the state names the server and counts the changes that were not sent`() async throws {
    try await withTemporaryDirectory { directory in
      let homes = try TwoHomes(directory)
      try await connect(homes)
      try await synchronise(homes)
      try homes.first.note("lent to Ada", on: "dune")

      let state = try homes.first.syncState()

      #expect(state.server == "https://sync.example.org")
      #expect(state.account == "ada")
      #expect(state.scope == "shelf:ada")
      #expect(state.pending == 1)
      #expect(state.conflicts == 0)
    }
  }

  @Test func `connecting again replaces the token, and a refused token is not used again`()
    async throws
  {
    let home = try Catalogue(try CatalogueInput.memory())
    try await home.connect(to: Self.server, token: "t1")
    let first = try home.serverToken()

    let refusal = #expect(throws: StorageError.self) { try home.serverToken(replacing: "t1") }
    try await home.connect(to: Self.server, token: "t2")

    #expect(first == "t1")
    #expect(refusal?.code == .accessDenied)
    #expect(refusal?.description.contains("t1") == false)
    #expect(try home.serverToken(replacing: "t1") == "t2")
  }

  @Test func `a home that was never synchronised can be connected with another server`()
    async throws
  {
    let home = try Catalogue(try CatalogueInput.memory())
    try await home.connect(to: Self.server, token: "t1")
    _ = try home.syncState()
    let other = NetworkServer(
      address: "https://other.example.org", account: "eve", scope: "team:shelf")

    try await home.connect(to: other, token: "t2")

    #expect(try home.networkServer() == other)
    #expect(try home.syncState().scope == "team:shelf")
  }

  @Test func `a synchronised home accepts another address only if its server has moved`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let homes = try TwoHomes(directory)
      try await connect(homes)
      try await synchronise(homes)
      let moved = NetworkServer(address: "https://moved.example.org", account: "ada")
      let other = NetworkServer(address: "https://moved.example.org", account: "eve")

      let refusal = await #expect(throws: NotFound.self) {
        try await homes.first.connect(to: moved, token: "t2")
      }
      await #expect(throws: NotFound.self) {
        try await homes.first.connect(to: other, token: "t2", isMoved: true)
      }
      let unchanged = try homes.first.networkServer()
      try await homes.first.connect(to: moved, token: "t2", isMoved: true)

      #expect(refusal?.description.contains("pass --moved") == true)
      #expect(unchanged == Self.server)
      #expect(try homes.first.networkServer() == moved)
      #expect(try homes.first.serverToken() == "t2")
    }
  }

  @Test func `a connected home is not synchronised with another home directly, and vice versa`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let connected = try TwoHomes(directory)
      try await connect(connected)
      let local = try TwoHomes(directory)
      try await local.synchronise()

      let first = await #expect(throws: NotFound.self) { try await connected.synchronise() }
      let second = #expect(throws: NotFound.self) { try local.first.networkServer() }
      await #expect(throws: NotFound.self) {
        try await local.first.connect(to: Self.server, token: "t1")
      }

      #expect(first?.description.contains("is connected with the server") == true)
      #expect(second?.description.contains("its server is in the folder") == true)
    }
  }

  @Test func `ending the synchronisation removes the server and the token, and retains the rows`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let homes = try TwoHomes(directory)
      try await connect(homes)
      try homes.first.note("lent to Ada", on: "dune")
      try await synchronise(homes)

      try await homes.first.stopSynchronising()

      #expect(throws: NotFound.self) { try homes.first.networkServer() }
      #expect(throws: StorageError.self) { try homes.first.serverToken() }
      #expect(try homes.notes(on: "dune") == [["lent to Ada"], ["lent to Ada"]])
    }
  }
}
