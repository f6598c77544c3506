import Foundation
import UndercroftCore
import UndercroftSync

/// The messages whose encoded bytes are stored in `Golden/SyncWire1.txt`.
///
/// The key of a message is the first word of its line in the file.
enum SyncWireMessages {
  static let all: [(name: String, message: any WireMessage)] = [
    ("hello", hello), ("hello-answer", helloAnswer), ("packet", packet), ("results", results),
    ("held", PushAnswer.held(expectedSequence: 2, expectedDependency: "op1")), ("pull", pull),
    ("page", page), ("digest-request", DigestRequest(scope: "reader:1", version: 12)),
    ("digest", DigestAnswer(version: 12, digest: digest)),
    ("forked", PushAnswer.refused(.forked)), ("epoch", PushAnswer.refused(.epoch("E2"))),
    ("collision", PushAnswer.refused(.operationCollision("op2"))),
    ("upgrade", PushAnswer.refused(.upgradeRequired(minimumPush: 5))),
    ("reset", PullAnswer.refused(.reset(.floor, "E2"))), ("answer", answer),
    ("batch", batch), ("hello-policies", helloPolicies), ("encrypted", encryptedPacket),
  ]

  private static let now: Int64 = 1_732_000_000_000
  private static let time = HybridTimestamp(clamping: now << 16 | 3)

  private static let values: FieldValues = [
    "title": .text("Dune \"é\"\n"), "note": .null, "pages": .integer(412), "price": .real(9.5),
    "weight": .real(-0.0), "rating": .real(5), "cover": .blob(Data([0, 255])),
    "barcode": .integer(.max), "latin": .malformedText(Data([0x44, 0xFC])), "old": .text("a\0b"),
    "north": .real(.infinity), "south": .real(-.infinity), "tiny": .real(.leastNonzeroMagnitude),
  ]

  private static let chain: OperationChain = {
    var chain = OperationChain()
    chain.append("op1")
    return chain
  }()

  private static let digest: ScopeDigest = {
    var digest = ScopeDigest()
    digest.add(table: "book", row: "018f", version: 10)
    return digest
  }()

  private static func operation(_ sequence: Int64, _ change: OperationChange) -> SyncOperation {
    SyncOperation(
      operationIdentifier: OperationIdentifier("op\(sequence)"), sequence: sequence, table: "book",
      dataIdentifier: "018f", change: change, timestamp: now, hybridTimestamp: time,
      schemaVersion: 4)
  }

  private static let hello = HelloRequest(
    replica: "R1", account: "ann", schemaVersion: 4, scopes: ["reader:1"], capabilities: ["gzip"],
    app: "library/1.0", startTime: now)

  private static let helloAnswer = HelloAnswer(
    serverTime: now + 1, startTime: now,
    schema: SchemaWindow(minimumPull: 1, minimumPush: 2, current: 4),
    scopes: [ScopeState(scope: "reader:1", epoch: "E1", head: 20, floor: 5, canWrite: true)])

  private static let helloPolicies = HelloAnswer(
    serverTime: now + 1, startTime: now, schema: SchemaWindow(), scopes: [],
    policies: [
      "book": PolicyNames(
        TablePolicy(
          .lastWriterWinsRecord, columns: ["Note": .ask, "loans": .counter], deletion: .updateWins)),
      "price": PolicyNames(TablePolicy(.serverWins)),
    ])

  private static let packet: SyncPacket = {
    var insertion = operation(
      2, .insert(values, counters: ["loans": 3], increments: ["loans": -1]))
    insertion.knowledge = AuthorKnowledge(base: 7, seen: 9, hidden: ["note"], baseCursor: 9)
    insertion.absorbed = [AbsorbedOperation("op0", increments: ["loans": .min])]
    var update = operation(3, .update(["note": .text("torn")], increments: ["loans": 1]))
    update.group = "g"
    var deletion = operation(4, .delete)
    deletion.group = "g"
    return SyncPacket(
      scope: "reader:1", epoch: "E1", replica: "R1", schemaVersion: 4, packet: "P1",
      resultsThrough: 1, after: chain, operations: [insertion, update, deletion])
  }()

  /// A packet whose operation answers a conflict and changes no row.
  private static let answer: SyncPacket = {
    var answer = operation(2, .update())
    answer.resolves = "6c14814985e217258542ec739fc84203"
    return SyncPacket(
      scope: "reader:1", epoch: "E1", replica: "R1", schemaVersion: 4, packet: "P2",
      resultsThrough: 1, after: chain, operations: [answer])
  }()

  /// A packet whose operation updates all rows that meet a condition, with each kind of condition.
  private static let batch: SyncPacket = {
    var batch = operation(2, .update(["note": .text("returned")]))
    batch.dataIdentifier = "op2"
    batch.knowledge = AuthorKnowledge(base: 9, seen: 9, baseCursor: 9)
    batch.selection = RowSelection(
      .all([
        .column("due", .less, .text("2026-10-01")), .not(.column("note", .equal, .null)),
        .any([.identifiers(["018f", "0190"])]),
      ]), identifiers: ["018f"])
    return SyncPacket(
      scope: "reader:1", epoch: "E1", replica: "R1", schemaVersion: 4, packet: "P3",
      resultsThrough: 1, after: chain, operations: [batch])
  }()

  /// A packet of a replica that encrypts values, and that has just received the head of the scope.
  private static let encryptedPacket: SyncPacket = {
    var insertion = operation(
      1, .insert(["title": .encrypted(EncryptedValue(keyNumber: 2, bytes: Data([0, 255])))]))
    insertion.knowledge = AuthorKnowledge(knownHead: 12, precedesContact: true)
    return SyncPacket(
      scope: "reader:1", epoch: "E1", replica: "R1", schemaVersion: 4, packet: "P2",
      resultsThrough: 0, after: OperationChain(), operations: [insertion])
  }()

  private static let results = PushAnswer.results(
    PushResults(
      epoch: "E1", replica: "R1", lastSequence: 4, lastChain: packet.chainAfter.hash,
      results: [
        OperationResult(
          operationIdentifier: "op2", sequence: 2, status: .applied, version: 10, lost: ["title"],
          conflicts: conflicts.map(\.conflictIdentifier)),
        OperationResult(
          operationIdentifier: "op3", sequence: 3, status: .rejected,
          rejection: OperationRejection(code: "reserved", message: "the book is reserved")),
        OperationResult(operationIdentifier: "op4", sequence: 4, status: .groupAborted),
      ], head: 10, serverTime: now + 1))

  private static let pull = PullRequest(
    scope: "reader:1", epoch: "E1", replica: "R1", schemaVersion: 4, cursor: 9, appliedCursor: 8,
    mode: .snapshot, generation: 3, snapshotFloor: 5, limit: 100, maximumBytes: 1000)

  private static let page = PullAnswer.page(
    SyncPage(
      epoch: "E1", replica: "R1", generation: 3, from: 9, to: 12, hasMore: true, head: 20, floor: 5,
      hybridTimestamp: time, serverTime: now + 1, appliedThrough: chain,
      rows: [
        PulledRow(
          table: "book", dataIdentifier: "018f", version: 10, hybridTimestamp: time,
          fields: values),
        PulledRow(
          table: "book", dataIdentifier: "0190", version: 12, hybridTimestamp: time, fields: nil),
      ], conflicts: conflicts))

  /// The conflicts of two operations: a title that replaces another title, and an update of a row
  /// that does not exist.
  private static let conflicts: [SyncConflict] = {
    let resolver = OperationResolver(replica: "R1", now: now)
    let author = OperationResolver(replica: "R0", now: now)
    let row = author.resolve(operation(0, .insert(["title": .text("Emma")])), on: nil, version: 1)
    let update = operation(2, .update(["title": .text("Dune")], increments: ["loans": 1]))
    return resolver.resolve(update, on: row.record, version: 10).conflicts
      + resolver.resolve(update, on: nil, version: 10).conflicts
  }()
}
