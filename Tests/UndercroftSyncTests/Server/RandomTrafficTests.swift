import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSync

@Suite struct RandomTrafficTests {
  /// A server with a store and a clock of its own.
  private struct Site {
    let store: any SyncServerStore
    let clock = TestClock()
    let server: SyncServer

    init(_ store: any SyncServerStore) {
      self.store = store
      var limits = SyncLimits()
      limits.heldPackets = 2
      server = SyncServer(
        store: store,
        policies: [
          "book": TablePolicy(columns: ["note": .serverWins], deletion: .updateWins)
        ],
        validate: { change in
          change.values["title"] == .text("7") || change.increments["loans"] == 13
            ? OperationRejection(code: "unlucky", message: "no") : nil
        }, limits: limits, environment: clock.environment)
    }

    func createScope() throws {
      let hello = HelloRequest(
        replica: "r", account: "a", scopes: [Device.scope], startTime: 0)
      _ = try server.hello(hello, account: "a")
    }

    /// Returns the chain of operations that the server has stored for a replica.
    func chain(of replica: ReplicaIdentifier) throws -> OperationChain {
      let stored = try store.read(in: Device.scope) { try $0.replica(replica) }
      guard let stored, let bytes = stored.chain else { return OperationChain() }
      let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      return OperationChain(
        count: stored.lastSequence, lastOperation: stored.lastOperation,
        hash: SHA256Digest(digits: digits))
    }

    /// Carries out a step on the server, and returns the answer or the error as text.
    func run(_ step: RandomTraffic.Step) -> String {
      do {
        switch step {
        case .push(let packet, let account):
          let request = SyncRequest(.push, body: try packet.encoded())
          return String(
            decoding: try server.respond(to: request, account: account), as: UTF8.self)
        case .pull(let pull, let account):
          let request = SyncRequest(.pull, body: try pull.encoded())
          return String(
            decoding: try server.respond(to: request, account: account), as: UTF8.self)
        case .compact(let version):
          return "\(try server.compact(Device.scope, through: version))"
        case .retain: return "\(try server.compact(Device.scope))"
        case .advance(let minutes):
          clock.advance(minutes: minutes)
          return ""
        case .newEpoch: return "\(try server.restoreEpoch(of: Device.scope))"
        }
      } catch { return "\(error)" }
    }
  }

  @Test(.heavy, arguments: 1...30 as ClosedRange<UInt64>)
  func `servers with different kinds of stores give the same answers to random requests`(
    seed: UInt64
  ) throws {
    try withTemporaryDirectory { folder in
      let memory = Site(InMemorySyncStore())
      let files = Site(try SQLiteSyncStore(at: folder, durability: .processDeath))
      var traffic = RandomTraffic(seed: seed)
      var head: Int64 = 0
      var kinds: Set<String> = []

      for number in 0..<150 {
        let step = try traffic.next(memory.server, chain: memory.chain(of:))
        try files.createScope()
        let (one, other) = (memory.run(step), files.run(step))
        try #require(one == other, "seed \(seed), step \(number): \(step)")
        kinds.insert(String(one.prefix(9)))

        let contents = try ScopeContents(of: memory.store)
        let scope = try #require(contents.scope)
        #expect(scope.head >= head, "seed \(seed), step \(number)")
        #expect(
          ScopeDigest(count: scope.liveRows, sum: scope.digestSum) == contents.digest,
          "seed \(seed), step \(number)")
        head = scope.head
      }

      #expect(try ScopeContents(of: memory.store) == ScopeContents(of: files.store))
      #expect(kinds.count > 3)
    }
  }

  @Test(.heavy, arguments: 1...20 as ClosedRange<UInt64>)
  func `pushing every sync packet twice has the same effect as pushing it once`(seed: UInt64) throws
  {
    let (once, twice) = (Site(InMemorySyncStore()), Site(InMemorySyncStore()))
    var traffic = RandomTraffic(seed: seed)

    for number in 0..<150 {
      let step = try traffic.next(once.server, chain: once.chain(of:))
      try twice.createScope()
      _ = once.run(step)
      let isPush = if case .push = step { true } else { false }
      _ = twice.run(step)
      if isPush { _ = twice.run(step) }

      var (expected, found) = (
        try ScopeContents(of: once.store), try ScopeContents(of: twice.store)
      )
      // The identifiers of histories are random.
      expected.scope?.epoch = "e"
      found.scope?.epoch = "e"
      try #require(found == expected, "seed \(seed), step \(number): \(step)")
    }
  }
}
