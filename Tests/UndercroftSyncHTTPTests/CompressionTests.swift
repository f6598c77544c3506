#if SyncHTTP
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncCompression
  import UndercroftSyncHTTP

  @Suite(.timeLimit(.hangLimit)) struct CompressionTests {
    private static let large = Data(
      "{\"title\":\"\(String(repeating: "book ", count: 400))\"}".utf8)

    private static func packed(_ data: Data) throws -> [UInt8] {
      [UInt8](try #require(Gzip.compress(data)))
    }

    @Test func `a request of at least 1,024 bytes is compressed`() async throws {
      try await ScriptedServer.run({ _, _ in .message("{}") }) { server in
        let peer = TestPeer(server.url).peer
        _ = try await peer.send(SyncRequest(.push, body: Self.large))

        let request = try #require(server.requests.first)
        #expect(request.header("Content-Encoding") == "gzip")
        #expect(request.body.count < Self.large.count)
        let body = try Gzip.decompress(Data(request.body), limit: Self.large.count)
        #expect(body == Self.large)
      }
    }

    @Test func `a compressed answer is decompressed`() async throws {
      let packed = try Self.packed(Self.large)
      let script: ScriptedServer.Script = { request, _ in
        guard request.header("Accept-Encoding") == "gzip" else { return .problem(400) }
        return .response(
          200, ScriptedReply.messageType, packed, headers: [("Content-Encoding", "gzip")])
      }
      try await ScriptedServer.run(script) { server in
        let answer = try await TestPeer(server.url).hello()

        #expect(answer == String(decoding: Self.large, as: UTF8.self))
      }
    }

    @Test func `nothing is compressed if the option is off`() async throws {
      try await ScriptedServer.run({ _, _ in .message("{}") }) { server in
        let peer = TestPeer(server.url) { $0.usesCompression = false }.peer
        _ = try await peer.send(SyncRequest(.push, body: Self.large))

        let request = try #require(server.requests.first)
        #expect(request.header("Content-Encoding") == nil)
        #expect(request.header("Accept-Encoding") == nil)
        #expect(request.body == [UInt8](Self.large))
      }
    }

    @Test func `an answer that is too large after decompression is an error, but not tooLarge`()
      async throws
    {
      // The code tooLarge would divide the packet, which the server may have applied.
      let packed = try Self.packed(Data(repeating: 0x20, count: 64 << 20))
      let script: ScriptedServer.Script = { _, _ in
        .response(200, ScriptedReply.messageType, packed, headers: [("Content-Encoding", "gzip")])
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        let error = try #require(await test.helloError())

        #expect(packed.count < 1 << 20)
        #expect(error.code == .unavailable)
        #expect(error.message.contains("larger than every message"))
        #expect(server.requests.count == 1)
      }
    }

    @Test func `an error with a compression bomb as description has the code of its status`()
      async throws
    {
      let packed = try Self.packed(Data(repeating: 0x20, count: 64 << 20))
      let script: ScriptedServer.Script = { _, _ in
        .response(
          413, "application/problem+json", packed, headers: [("Content-Encoding", "gzip")])
      }
      try await ScriptedServer.run(script) { server in
        let error = try #require(await TestPeer(server.url).helloError())

        #expect(error.code == .tooLarge)
      }
    }

    @Test(arguments: ["truncated", "damaged", "not compressed", "empty"])
    func `a body that is not in the format of gzip is an error`(kind: String) async throws {
      let packed = try Self.packed(Self.large)
      let body: [UInt8] =
        switch kind {
        case "truncated": Array(packed.dropLast(4))
        case "damaged": packed.prefix(20) + Array("damage".utf8) + packed.dropFirst(26)
        case "empty": []
        default: Array("{}".utf8)
        }
      let script: ScriptedServer.Script = { _, _ in
        .response(200, ScriptedReply.messageType, body, headers: [("Content-Encoding", "gzip")])
      }
      try await ScriptedServer.run(script) { server in
        let error = try #require(await TestPeer(server.url).helloError())

        #expect(error.code == .unavailable)
        #expect(error.message.contains("gzip"))
      }
    }

    @Test func `an answer with an unknown encoding is an error`() async throws {
      let script: ScriptedServer.Script = { _, _ in
        .message("{}", headers: [("Content-Encoding", "br")])
      }
      try await ScriptedServer.run(script) { server in
        let error = try #require(await TestPeer(server.url).helloError())

        #expect(error.code == .unavailable)
        #expect(error.message.contains("not requested"))
      }
    }
  }
#endif
