#if SyncServer
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing

  /// Tests with generated requests that no client of this package sends.
  ///
  /// The environment variable `UNDERCROFT_SEED` selects other requests.
  @Suite(.serialized, .timeLimit(.hangLimit)) struct GeneratedRequestTests {
    private static var seed: UInt64 {
      ProcessInfo.processInfo.environment["UNDERCROFT_SEED"].flatMap { UInt64($0) } ?? 1
    }

    @Test func `hundreds of generated requests do not end the server or change a row`()
      async throws
    {
      try await send(600)
    }

    @Test(.heavy) func `10,000 generated requests do not end the server or change a row`()
      async throws
    {
      try await send(10_000)
    }

    private func send(_ count: Int) async throws {
      let seed = Self.seed
      let attacked = try await onNewThread { try AttackedServer() }
      let (server, material) = (attacked.server, attacked.material)
      let process = server.identifier
      let before = try attacked.state()

      let sender = RequestSender(port: try #require(server.port), seed: seed, material: material)
      let results = await sender.send(count)

      let (after, errors) = (try attacked.state(), attacked.errors)
      let problems = results.filter { $0.problem != nil }
      #expect(results.count == count)
      #expect(problems.isEmpty, "seed \(seed): \(problems.count), \(problems.prefix(10))")
      #expect(errors.isEmpty, "seed \(seed): \(errors.prefix(10))")
      #expect(after == before, "seed \(seed)")
      #expect(server.isRunning && server.identifier == process, "seed \(seed)")
      expectVariety(results, seed)
      try await expectService(attacked, seed)
      let status = await onNewThread { server.stop() }
      #expect(status == 0, "seed \(seed)")
    }

    /// Expects that each kind has reached the parts of the server that it is meant for.
    private func expectVariety(_ results: [RequestSender.Result], _ seed: UInt64) {
      let expected: [GeneratedRequest.Kind: Set<Int>] = [
        .malformed: [400, 401, 404, 405, 415], .oversized: [400, 413], .truncated: [],
        .replayed: [200, 401, 403], .slow: [200], .compressed: [400, 413, 415],
      ]
      for kind in GeneratedRequest.Kind.allCases {
        let statuses = Set(results.filter { $0.kind == kind }.flatMap(\.statuses))
        #expect(statuses.isSuperset(of: expected[kind] ?? []), "seed \(seed): \(kind) \(statuses)")
      }
    }

    /// Expects that the server still serves both accounts.
    private func expectService(_ attacked: AttackedServer, _ seed: UInt64) async throws {
      let material = attacked.material
      let requests = [
        HTTPRequestText(get: "/health/ready"),
        HTTPRequestText("push", material.token, material.processed[0]),
        HTTPRequestText("push", material.strangerToken, attacked.strangerPacket),
        // Shows that the packet would have been applied if the server had accepted it before.
        HTTPRequestText("push", material.token, material.unsent),
      ]
      var statuses: [Int] = []
      for request in requests {
        statuses.append(try await attacked.server.send(request).status)
      }

      let rows = try attacked.state().rows.count

      #expect(statuses == [200, 200, 200, 200], "seed \(seed)")
      #expect(rows == 41, "seed \(seed)")
    }
  }
#endif
