import Foundation
import Testing
import UndercroftCore
import UndercroftSync

/// Tests of the JSON bodies that a server stores, whose form must not change.
@Suite struct StoredBodyTests {
  private let store = InMemorySyncStore()
  private let server: SyncServer
  private var ann: Device
  private var bob: Device
  private let seen = AuthorKnowledge(base: 1, seen: 1, baseCursor: 1)

  init() throws {
    server = SyncServer(
      store: store,
      validate: { change in
        change.values["title"] == .text("Forbidden")
          ? OperationRejection(code: "reserved", message: "no") : nil
      }, environment: TestClock().environment)
    ann = try Device("ann", on: server)
    bob = try Device("bob", on: server)
    try ann.send(
      .insert(
        ["title": .text("Dune"), "note": .null, "price": .real(1)], counters: ["loans": 1]))
    try bob.send(.update(.title("Bob's"), increments: ["loans": 2]), knowing: seen, minute: 2)
  }

  private func text(_ body: Data?) -> String { String(decoding: body ?? Data(), as: UTF8.self) }

  @Test
  func `a stored row contains its values and the author and time of each column's last write`()
    throws
  {
    let record = try store.read(in: Device.scope) { try $0.record("b1", in: "book") }

    #expect(
      text(record?.body) == """
        {"additions":{"loans":{"last":{"hlc":"019343098e400000","replica":"bob","version":2},\
        "other":{"hlc":"01934307b9800000","replica":"ann","version":1}}},\
        "fields":{"loans":3,"note":null,"price":1.0,"title":"Bob's"},\
        "hlc":"019343098e400000","replica":"bob",\
        "writes":[{"columns":["note","price"],"hlc":"01934307b9800000","replica":"ann",\
        "version":1},{"columns":["title"],"hlc":"019343098e400000","replica":"bob","version":2}]}
        """)
  }

  @Test
  func `a stored operation contains the operation's result and the identifier of the changed row`()
    throws
  {
    var (ann, bob) = (ann, bob)
    try ann.send(.update(.title("Ann's")), knowing: seen, minute: 1)
    try bob.send(.insert(.title("Forbidden")), on: "b2")
    func body(_ operation: OperationIdentifier) throws -> String {
      text(try store.read(in: Device.scope) { try $0.operation(operation)?.body })
    }

    #expect(
      try body("ann-1")
        == #"{"dataIdentifier":"b1","status":"applied","table":"book","version":1}"#)
    #expect(
      try body("ann-2") == """
        {"conflicts":["\(ann.conflict("ann-2", "op_lost"))"],"dataIdentifier":"b1",\
        "lost":["title"],"status":"applied","table":"book","version":0}
        """)
    #expect(
      try body("bob-2") == """
        {"code":"reserved","conflicts":["\(ann.conflict("bob-2", "rejected"))"],\
        "dataIdentifier":"b2","message":"no","status":"rejected","table":"book","version":0}
        """)
  }

  @Test func `every stored row is read with the types and bytes that were written`() throws {
    var ann = ann
    let values: FieldValues = [
      "nul": .text("a\0b"), "raw": .malformedText(Data([0xFF])), "big": .integer(.min),
      "inf": .real(-.infinity), "zero": .real(-0.0), "blob": .blob(Data()), "\u{E9}": .null,
      "e\u{301}": .integer(1), "quote\"\\": .text("\u{1}\u{7F}𝄞"),
    ]

    try ann.send(.insert(values, counters: ["loans": .max]), on: "b2")
    try ann.send(
      .update(["other": .null], increments: ["loans": 1]), on: "b2",
      knowing: AuthorKnowledge(base: 3, seen: 3, baseCursor: 3))

    let expected = values.merging(["loans": .integer(.min), "other": .null]) { $1 }
    #expect(try ann.rows["b2"] == expected)
  }

  @Test func `the tombstone of a deleted row contains the values of the row`() throws {
    var ann = ann
    try ann.send(.delete, knowing: AuthorKnowledge(base: 2, seen: 2, baseCursor: 2))

    let record = try store.read(in: Device.scope) { try $0.record("b1", in: "book") }

    #expect(record?.isDeleted == true)
    let body = text(record?.body)
    #expect(body.contains(#""title":"Bob's""#))
  }
}

extension Device {
  /// Returns the identifier of the conflict of the given kind that an operation causes.
  fileprivate func conflict(_ operation: String, _ kind: String) -> String {
    String(SHA256Digest(of: Array("\(kind)\0\(operation)".utf8)).digits.prefix(32))
  }
}
