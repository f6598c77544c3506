#if SyncServer && SyncHTTP
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncHTTP
  import UndercroftSyncServer
  import UndercroftTesting

  /// Tests that a client in another language and an engine synchronise the same scope.
  @Suite(.enabled(if: PythonClient.isInstalled), .timeLimit(.hangLimit))
  struct PythonClientTests {
    /// One random change on each side, of the same few books.
    private func edit(
      _ client: PythonClient, _ engine: BookEngine, _ random: inout SeededGenerator, _ step: Int
    ) async throws {
      let titles = ["Emma", "L'Étranger №\(step)", "", "雪国 \"\\\n"]
      let title = (titles.randomElement(using: &random) ?? "") + "\(step)"
      let book = "b\(Int.random(in: 0..<4, using: &random))"
      switch Int.random(in: 0..<5, using: &random) {
      case 0: try engine.remove(book)
      case 1: try engine.write(book, title, copies: nil)
      default: try engine.write(book, title, copies: .random(in: .min ... .max, using: &random))
      }
      let other = "b\(Int.random(in: 0..<4, using: &random))"
      switch Int.random(in: 0..<5, using: &random) {
      case 0: try await client.run("remove", other)
      case 1, 2: try await client.run("edit", other, "title=\(title)!", "author=Ann \(step)")
      default: try await client.run("add", other, "title=\(title)?", "copies=\(Int64.max)")
      }
    }

    /// Makes concurrent changes on both sides, and synchronises both until they agree.
    private func converge(
      _ client: PythonClient, _ engine: BookEngine, seed: UInt64
    ) async throws {
      var random = SeededGenerator(seed: seed)
      for step in 0..<20 {
        try await edit(client, engine, &random, step)
        if Bool.random(using: &random) { try await client.run("sync") }
        if Bool.random(using: &random) { try await engine.sync() }
      }
      try await client.settle(with: engine)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `a client and an engine converge after concurrent changes`(seed: UInt64) async throws {
      try await TestServer.run { server in
        let engine = try BookEngine("north", on: server)
        let client = try PythonClient(port: server.port, token: try server.token("south"))

        try await converge(client, engine, seed: seed)

        try await client.expectAgreement(with: engine, try server.digest())
        let head = try server.sync.head(of: Branch.scope) ?? 0
        #expect(head > 10)
        await engine.peer.close()
      }
    }

    @Test func `a client and an engine converge through the built server`() async throws {
      let tool = try ServerTool()
      let tokens = [try await tool.token("north"), try await tool.token("south")]
      let server = try await tool.serve()
      let port = try #require(server.port)
      let engine = try BookEngine("north", port: port, token: tokens[0])
      let client = try PythonClient(port: port, token: tokens[1])

      try await converge(client, engine, seed: 5)

      let request = DigestRequest(scope: Branch.scope, version: 0)
      let digest = HTTPRequestText("digest", tokens[0], try request.encoded())
      let answer = try DigestAnswer(decoding: try await server.send(digest).body)
      try await client.expectAgreement(with: engine, answer.digest.text)
      await engine.peer.close()
      let status = await onNewThread { server.stop() }
      #expect(answer.version > 10)
      #expect(status == 0)
    }

    @Test func `the value that loses against a concurrent one is a conflict of the account`()
      async throws
    {
      try await TestServer.run { server in
        let engine = try BookEngine("north", on: server)
        let client = try PythonClient(port: server.port, token: try server.token("south"))
        try await client.run("add", "b1", "title=Emma", "author=Jane")
        try await client.settle(with: engine)
        try await client.run("edit", "b1", "title=Ema", "author=Jane Austen")
        try engine.write("b1", "EMMA", copies: 2)

        try await client.settle(with: engine)

        let listing = try await client.list()
        #expect(listing.conflicts == 1)
        #expect(
          listing.books
            == [ListedBook(id: "b1", title: "EMMA", author: "Jane Austen", copies: 2)])
        try await client.expectAgreement(with: engine, try server.digest())
        await engine.peer.close()
      }
    }

    @Test func `a client sends smaller packets if the server demands it, and pulls several pages`()
      async throws
    {
      var limits = SyncLimits()
      limits.operations = 2
      limits.pageRows = 2
      try await TestServer.run(syncLimits: limits) { server in
        let engine = try BookEngine("north", on: server)
        let client = try PythonClient(port: server.port, token: try server.token("south"))
        for number in 1...7 {
          try engine.write("n\(number)", "Dune", copies: 1)
          try await client.run("add", "s\(number)", "title=Emma")
        }

        try await client.settle(with: engine)

        let count = try engine.books().count
        #expect(count == 14)
        try await client.expectAgreement(with: engine, try server.digest())
        await engine.peer.close()
      }
    }

    @Test func `a watching client receives the changes of others`() async throws {
      try await TestServer.run { server in
        let engine = try BookEngine("north", on: server)
        let client = try PythonClient(port: server.port, token: try server.token("south"))
        let watching = try client.start("watch")
        defer { watching.send(SIGKILL) }
        let isWaiting = try await eventually { server.sync.pokeStreamCount == 1 }
        try engine.write("b1", "Emma", copies: 1)

        try await engine.sync()

        let isReceived = try await eventually { try await client.list().books.count == 1 }
        #expect(isWaiting)
        #expect(isReceived)
        await engine.peer.close()
      }
    }

    // MARK: Histories of the server and copies of the database

    @Test func `a client that was silent for too long pulls a snapshot`() async throws {
      try await TestServer.run { server in
        let engine = try BookEngine("north", on: server)
        let client = try PythonClient(port: server.port, token: try server.token("south"))
        // The server retains the tombstones of rows that were inserted before the first contact.
        for book in ["b2", "b1"] {
          try engine.write(book, "Emma", copies: 1)
          try await client.settle(with: engine)
        }
        try engine.remove("b1")
        try engine.write("b3", "Dune", copies: 1)
        try await engine.sync()
        let head = try #require(try server.sync.head(of: Branch.scope))
        let compaction = try server.sync.compact(Branch.scope, through: head)
        #expect(compaction.tombstones == 1)
        try await client.run("edit", "b2", "title=Emma II")

        try await client.settle(with: engine)

        let titles = try engine.books().map(\.title)
        #expect(titles == ["Emma II", "Dune"])
        try await client.expectAgreement(with: engine, try server.digest())
        await engine.peer.close()
      }
    }

    @Test func `a client follows a new history of the server, and sends its changes again`()
      async throws
    {
      try await TestServer.run { server in
        let engine = try BookEngine("north", on: server)
        let client = try PythonClient(port: server.port, token: try server.token("south"))
        for book in ["b1", "b2"] { try engine.write(book, "Emma", copies: 1) }
        try await client.settle(with: engine)
        try await client.run("edit", "b1", "title=Emma II")
        try await client.run("add", "b3", "title=Dune")
        try server.sync.restoreEpoch(of: Branch.scope)

        try await client.settle(with: engine)

        let titles = try engine.books().map(\.title)
        #expect(titles == ["Emma II", "Emma", "Dune"])
        try await client.expectAgreement(with: engine, try server.digest())
        await engine.peer.close()
      }
    }

    @Test func `the changes of a copied database are sent under another identity`() async throws {
      try await TestServer.run { server in
        let engine = try BookEngine("north", on: server)
        let client = try PythonClient(port: server.port, token: try server.token("south"))
        try await client.run("add", "b1", "title=Emma")
        try await client.settle(with: engine)
        try await client.run("add", "b2", "title=Dune")
        let copy = try client.copy("copy.sqlite")
        try await client.run("add", "b3", "title=Iliad")
        try await copy.run("add", "b4", "title=Ulysses")

        for branch in [client, copy] { try await branch.settle(with: engine) }
        try await client.settle(with: engine)

        let identifiers = try engine.books().map(\.id)
        #expect(identifiers == ["b1", "b2", "b3", "b4"])
        try await client.expectAgreement(with: engine, try server.digest())
        try await copy.expectAgreement(with: engine, try server.digest())
        let head = try server.sync.head(of: Branch.scope)
        #expect(head == 4)
        await engine.peer.close()
      }
    }
  }

  extension TestServer {
    /// The digest of the books, in the form in which the Python client prints it.
    func digest() throws -> String {
      let request = DigestRequest(scope: Branch.scope, version: 0)
      return try sync.digest(request, account: "north").digest.text
    }
  }
#endif
