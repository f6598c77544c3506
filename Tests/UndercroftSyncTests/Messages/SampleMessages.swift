import Foundation
import UndercroftCore
import UndercroftSync

/// Examples of each kind of message, with a value for every member.
enum SampleMessages {
  static let chain: OperationChain = {
    var chain = OperationChain()
    chain.append("op1")
    return chain
  }()

  static let time = HybridTimestamp(milliseconds: 1_732_000_000_000)

  static let values: FieldValues = [
    "title": .text("Dune"), "note": .null, "isbn": .integer(9_780_441_172_719), "price": .real(9.5),
    "cover": .blob(Data([0, 255])), "raw": .malformedText(Data([0xFF])), "big": .integer(.max),
    "nul": .text("a\0b"), "far": .real(-.infinity),
  ]

  static func operation(_ sequence: Int64, _ change: OperationChange) -> SyncOperation {
    SyncOperation(
      operationIdentifier: OperationIdentifier("op\(sequence)"), sequence: sequence, table: "book",
      dataIdentifier: "018f", change: change, timestamp: 1_732_000_000_001, hybridTimestamp: time)
  }

  static let packet: SyncPacket = {
    var first = operation(2, .insert(values, counters: ["loans": 3], increments: ["loans": -1]))
    first.knowledge = AuthorKnowledge(base: 7, seen: 9, hidden: ["note", "title"], baseCursor: 41)
    first.schemaVersion = 4
    first.absorbed = [
      AbsorbedOperation("op0", increments: ["loans": .min]), AbsorbedOperation("x"),
    ]
    var second = operation(3, .update(["note": .text("torn")]))
    second.group = "g"
    var third = operation(4, .delete)
    third.group = "g"
    third.resolves = "c1"
    return SyncPacket(
      scope: "user:1", epoch: "E1", replica: "R1", schemaVersion: 4, packet: "P1",
      resultsThrough: 1, after: chain, operations: [first, second, third])
  }()

  /// Returns a packet with one operation that changes all rows of a selection.
  static func batch(
    _ selection: RowSelection, _ change: OperationChange = .update(["title": .text("Dune")])
  ) -> SyncPacket {
    var batch = operation(2, change)
    batch.dataIdentifier = "op2"
    batch.selection = selection
    return SyncPacket(
      scope: "user:1", epoch: "E1", replica: "R1", packet: "P2", resultsThrough: 1, after: chain,
      operations: [batch])
  }

  static let results = PushAnswer.results(
    PushResults(
      epoch: "E1", replica: "R1", lastSequence: 4, lastChain: chain.hash,
      results: [
        OperationResult(
          operationIdentifier: "op2", sequence: 2, status: .applied, version: 10, lost: ["title"],
          conflicts: ["c1"]),
        OperationResult(
          operationIdentifier: "op3", sequence: 3, status: .rejected,
          rejection: OperationRejection(code: "reserved", message: "the book is reserved")),
      ], head: 10, serverTime: 1_732_000_000_002))

  static let pull = PullRequest(
    scope: "user:1", epoch: "E1", replica: "R1", schemaVersion: 4, cursor: 9, appliedCursor: 8,
    mode: .snapshot, generation: 3, snapshotFloor: 5, limit: 100, maximumBytes: 1000)

  static let page = PullAnswer.page(
    SyncPage(
      epoch: "E1", replica: "R1", generation: 3, from: 9, to: 12, hasMore: true, head: 20, floor: 5,
      hybridTimestamp: time, serverTime: 1_732_000_000_002, appliedThrough: chain,
      rows: [
        PulledRow(
          table: "book", dataIdentifier: "018f", version: 10, hybridTimestamp: time, fields: values),
        PulledRow(
          table: "book", dataIdentifier: "0190", version: 12, hybridTimestamp: time, fields: nil),
      ], conflicts: conflicts))

  /// The conflicts of an update that loses a value, and of an update that the validator rejects.
  static let conflicts: [SyncConflict] = {
    var desk = Desk.withConcurrentTitle()
    let lost = desk.receive(
      .update(["title": .text("Ann's")]), from: "ann", minute: 1, knowing: Desk.insertion)
    let resolver = desk.resolver("ann") { _, _ in
      OperationRejection(code: "reserved", message: "the book is reserved")
    }
    let update = desk.operation(.update(["note": .null], increments: ["loans": 1]))
    return lost.conflicts + resolver.resolve(update, on: nil, version: 1).conflicts
  }()

  static let hello = HelloRequest(
    replica: "R1", account: "u1", schemaVersion: 4, scopes: ["user:1", "shared"],
    capabilities: ["gzip"], app: "library/1.0", startTime: 1_732_000_000_000)

  static let helloAnswer = HelloAnswer(
    serverTime: 1_732_000_000_002, startTime: 1_732_000_000_000,
    schema: SchemaWindow(minimumPull: 1, minimumPush: 2, current: 4),
    scopes: [ScopeState(scope: "user:1", epoch: "E1", head: 20, floor: 5, canWrite: true)])

  static let refusals: [SyncRefusal] = [
    .forked, .epoch("E2"), .reset(.floor, "E2"), .reset(.schema, "E2"),
    .reset(.filterChanged, "E2"),
    .operationCollision("op2"), .upgradeRequired(minimumPush: 5),
  ]

  static let all: [any WireMessage] =
    [
      packet, batch(RowSelection(.all([]), identifiers: ["018f"])), results, pull, page, hello,
      helloAnswer,
      PushAnswer.held(expectedSequence: 2, expectedDependency: "op1"),
      PushAnswer.held(expectedSequence: 1, expectedDependency: nil),
      DigestRequest(scope: "user:1", version: 12),
      DigestAnswer(version: 12, digest: ScopeDigest(count: 2, sum: .max)),
      DigestAnswer(version: 12, digest: ScopeDigest()),
    ] + refusals.map { PushAnswer.refused($0) } + refusals.map { PullAnswer.refused($0) }
}
