import Foundation
import Testing
import UndercroftCore
import UndercroftSync
import UndercroftTesting

@Suite struct RespondTests {
  private let store = InMemorySyncStore()
  private let server: SyncServer
  private let ann: Device

  init() throws {
    server = SyncServer(store: store, environment: TestClock().environment)
    ann = try Device("ann", on: server)
  }

  private func respond(
    _ endpoint: SyncRequest.Endpoint, _ body: Data
  ) throws -> Data {
    try server.respond(to: SyncRequest(endpoint, body: body), account: "ann")
  }

  private var packet: SyncPacket {
    ann.packet([
      ann.operation(.insert(.title("Dune"), counters: ["loans": 1])),
      ann.operation(.update(["raw": .blob(Data([0]))]), offset: 1),
    ])
  }

  @Test func `the server answers each kind of request with the matching kind of message`() throws {
    let push = try PushAnswer(decoding: try respond(.push, try packet.encoded()))
    let page = try PullAnswer(decoding: try respond(.pull, try ann.request().encoded())).page
    let digest = try DigestAnswer(
      decoding: try respond(
        .digest, try DigestRequest(scope: Device.scope, version: 2).encoded()))
    let hello = try HelloAnswer(
      decoding: try respond(
        .hello,
        try HelloRequest(replica: "ann", account: "ann", scopes: [Device.scope], startTime: 1)
          .encoded()))

    #expect(push.statuses == [.applied, .applied])
    #expect(page?.rows.count == 1)
    #expect(digest.digest.count == 1)
    #expect(hello.scopes.first?.head == 2)
  }

  @Test func `the server returns a refusal as an encoded answer and does not throw`() throws {
    let body = try packet.encoded()
    let epoch = try server.restoreEpoch(of: Device.scope)

    #expect(try PushAnswer(decoding: try respond(.push, body)) == .refused(.epoch(epoch)))
    #expect(
      try PullAnswer(decoding: try respond(.pull, try ann.request().encoded()))
        == .refused(.epoch(epoch)))
  }

  @Test
  func `the server throws an error naming the kind of a truncated request, and changes nothing`()
    throws
  {
    let contents = try ScopeContents(of: store)
    let messages: [(SyncRequest.Endpoint, Data, String)] = [
      (.push, try packet.encoded(), "packet"),
      (.pull, try ann.request().encoded(), "pull request"),
      (.digest, try DigestRequest(scope: Device.scope, version: 2).encoded(), "digest request"),
      (
        .hello,
        try HelloRequest(replica: "ann", account: "ann", scopes: ["new"], startTime: 1).encoded(),
        "hello"
      ),
    ]
    for (endpoint, body, name) in messages {
      for count in body.indices {
        let error = #expect(throws: StorageError.self) {
          try respond(endpoint, body.prefix(count))
        }
        #expect(error?.message.contains("cannot decode the \(name)") == true)
      }
    }
    #expect(try ScopeContents(of: store) == contents)
    #expect(try store.scopes() == [Device.scope])
  }

  @Test
  func `the server throws a decoding error for a request with the body of another message kind`()
    throws
  {
    let hello = try HelloRequest(
      replica: "ann", account: "ann", scopes: [], startTime: 1
    ).encoded()
    for endpoint in SyncRequest.Endpoint.allCases where endpoint != .hello {
      let error = #expect(throws: StorageError.self) { try respond(endpoint, hello) }
      #expect(error?.code == .decodingFailed)
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `the server answers a request with random byte changes, or throws and changes nothing`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let bodies: [(SyncRequest.Endpoint, Data)] = [
      (.push, try packet.encoded()), (.pull, try ann.request().encoded()),
    ]
    var errors = 0
    for _ in 0..<300 {
      let contents = try ScopeContents(of: store)
      let (endpoint, original) = bodies[Int.random(in: 0...1, using: &random)]
      var body = original
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: body.indices, using: &random)
        body[index] = "0123456789{}[]\",:.-enltru\\ ".utf8.randomElement(using: &random) ?? 0
      }
      do { _ = try respond(endpoint, body) } catch {
        errors += 1
        #expect(error is StorageError, "seed \(seed)")
        #expect(try ScopeContents(of: store) == contents, "seed \(seed)")
      }
    }
    #expect(errors > 100)
  }

  @Test
  func `the server answers a request with the largest possible numbers or throws, and never traps`()
    throws
  {
    let largest = JSONValue.exactIntegers.upperBound
    var pull = ann.request(after: largest, applied: largest, limit: largest, bytes: largest)
    (pull.generation, pull.snapshotFloor, pull.schemaVersion) = (largest, largest, largest)
    #expect(throws: StorageError.self) { try respond(.pull, try pull.encoded()) }
    pull.cursor = 0
    #expect(try PullAnswer(decoding: try respond(.pull, try pull.encoded())).page != nil)
    #expect(try ScopeContents(of: store).replicas.first?.appliedCursor == 0)

    var packet = packet
    packet.resultsThrough = largest
    #expect(
      try PushAnswer(decoding: try respond(.push, try packet.encoded())) == .refused(.forked))
    packet.resultsThrough = 0
    packet.schemaVersion = largest
    packet.operations[0].knowledge = AuthorKnowledge(
      base: largest, seen: largest, baseCursor: largest)
    packet.operations[0].hybridTimestamp = .maximum
    packet.operations[0].timestamp = .min
    let answer = try PushAnswer(decoding: try respond(.push, try packet.encoded()))
    #expect(answer.statuses == [.lost, .lost])

    packet.dependencyIdentifier = "x"
    packet.dependencyChain = SHA256Digest(of: [])
    packet.operations[0].sequence = largest - 1
    packet.operations[1].sequence = largest
    #expect(
      try PushAnswer(decoding: try respond(.push, try packet.encoded()))
        == .held(expectedSequence: 3, expectedDependency: "ann-2"))
  }

  @Test
  func `a message above the size limit is refused, but its operations can be sent separately`()
    throws
  {
    var limits = SyncLimits()
    limits.bytes = 500
    let server = SyncServer(
      store: InMemorySyncStore(), limits: limits, environment: TestClock().environment)
    var ann = try Device("ann", on: server)
    let text = FieldValues.title(String(repeating: "x", count: 300))
    let operations = [
      ann.operation(.insert(text)), ann.operation(.insert(text), on: "b2", offset: 1),
    ]
    let both = ann.packet(operations)

    let error = #expect(throws: StorageError.self) {
      try server.respond(to: SyncRequest(.push, body: try both.encoded()), account: "ann")
    }
    #expect(error?.code == .tooLarge)
    #expect(error?.message.contains("bytes, but the maximum is 500") == true)

    for operation in operations {
      let one = ann.seal([operation])
      let body = try server.respond(
        to: SyncRequest(.push, body: try one.encoded()), account: "ann")
      #expect(try PushAnswer(decoding: body).statuses?.last == .applied)
    }
  }
}
