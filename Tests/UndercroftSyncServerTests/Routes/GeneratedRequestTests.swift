#if SyncServer
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncServer
  import UndercroftTesting

  /// Tests with generated requests that no client of this package sends.
  @Suite(.timeLimit(.hangLimit)) struct GeneratedRequestTests {
    /// A generator of faulty requests.
    struct Generator {
      var random: SeededGenerator
      let token: String
      /// A request that is valid, and that the server has answered before.
      let replayed: HTTPRequestText
      let bomb: Data

      /// Returns the bytes of a request, none of which changes a row.
      mutating func next() -> Data {
        let body = replayed.body ?? Data()
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return replayed.data
        case 1: return HTTPRequestText("push", token, Data(body.prefix(number(body.count)))).data
        case 2: return HTTPRequestText("push", token, mutated(body)).data
        case 3: return replayed.data.prefix(number(replayed.data.count))
        case 4: return mutated(replayed.data)
        case 5:
          return HTTPRequestText("push", token, bomb, fields: [("Content-Encoding", "gzip")]).data
        case 6:
          return HTTPRequestText(
            "push", token, mutated(bomb), fields: [("Content-Encoding", "gzip")]
          ).data
        case 7:
          var request = HTTPRequestText("push", token, body)
          request.body = nil
          request.fields.append(
            ("Content-Length", String(UInt64.random(in: 0...(.max), using: &random))))
          return request.head + body.prefix(number(body.count))
        case 8:
          var request = HTTPRequestText("pull", token, body)
          request.body = nil
          request.fields.append(("Transfer-Encoding", "chunked"))
          return request.head + Data("ffffffffffffffffff\r\n".utf8) + body
        default:
          return Data((0..<number(2_000)).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
      }

      private mutating func number(_ limit: Int) -> Int {
        Int.random(in: 0..<max(limit, 1), using: &random)
      }

      /// Returns bytes with some changes, of which no change makes another valid operation, because
      /// the chain of the replica was already processed.
      private mutating func mutated(_ data: Data) -> Data {
        var bytes = [UInt8](data)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          bytes[number(bytes.count)] = UInt8.random(in: 0...255, using: &random)
        }
        return Data(bytes)
      }
    }

    /// The number of requests of each seed.
    private static let count = 500

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `no generated request ends the server or changes a row`(seed: UInt64) async throws {
      var limits = ServerLimits()
      limits.bodyBytes = 100_000
      limits.bodySeconds = 0.2
      limits.idleSeconds = 0.2
      limits.requestsPerSecond = 1e6
      limits.requestBurst = 1_000_000
      try await TestServer.run(limits: limits) { server in
        let token = try server.token("ann", [ScopeRule("library")])
        var branch = try Branch("ann", on: server.sync)
        let packet = try branch.seal("Dune").encoded()
        let replayed = HTTPRequestText("push", token, packet)
        let first = try await server.send(replayed)
        #expect(first.status == 200)
        let bomb = try Gzip.compress(Data(repeating: 0x20, count: 5_000_000))
        var generator = Generator(
          random: SeededGenerator(seed: seed), token: token, replayed: replayed, bomb: bomb)
        let requests = (0..<Self.count).map { _ in generator.next() }
        let digest = try server.sync.digest(
          DigestRequest(scope: branch.scope, version: 1), account: "ann")

        let statuses = try await send(requests, to: server.port)

        let after = try server.sync.digest(
          DigestRequest(scope: branch.scope, version: 1), account: "ann")
        #expect(after == digest)
        #expect(statuses.contains(200))
        #expect(statuses.contains(400))
        #expect(statuses.contains(413))
        #expect(statuses.allSatisfy { $0 == nil || (200..<500).contains($0 ?? 0) })
        let again = try await server.send(replayed)
        #expect(again.status == 200)
      }
    }

    /// Sends each request on a connection of its own, and returns the statuses of the answers,
    /// `nil` where the server has closed the connection.
    private func send(_ requests: [Data], to port: Int) async throws -> [Int?] {
      try await onNewThread {
        var statuses: [Int?] = []
        for request in requests {
          let connection = try RawConnection(port: port)
          // The server may close the connection before it has read everything.
          try? connection.send(request)
          connection.endSending()
          statuses.append((try? connection.readAnswer())?.status)
        }
        return statuses
      }
    }
  }
#endif
