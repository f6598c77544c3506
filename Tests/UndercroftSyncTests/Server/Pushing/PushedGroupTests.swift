import TestSupport
import Testing
import UndercroftCore
import UndercroftSync

/// Tests of packets that contain atomic groups or operations that the validator rejects.
@Suite struct PushedGroupTests {
  private func server(
    rejecting code: String = "reserved", message: String = "the book is reserved"
  ) -> SyncServer {
    SyncServer(
      store: InMemorySyncStore(),
      validate: { change in
        change.values["title"] == .text("Forbidden")
          ? OperationRejection(code: code, message: message) : nil
      }, environment: TestClock().environment)
  }

  private func packet(_ device: inout Device, _ titles: [(String, group: String?)]) -> SyncPacket {
    let operations = titles.enumerated().map { index, title in
      var operation = device.operation(
        .insert(.title(title.0)), on: DataIdentifier("b\(index)"), offset: Int64(index))
      operation.group = title.group
      return operation
    }
    return device.seal(operations)
  }

  @Test
  func
    `an operation is rejected with the validator's reason, and the rest of its packet is applied`()
    throws
  {
    var ann = try Device("ann", on: server())

    let answer = try ann.push(packet(&ann, [("Dune", nil), ("Forbidden", nil), ("Emma", nil)]))

    let results = try #require(answer.results?.results)
    #expect(results.map(\.status) == [.applied, .rejected, .applied])
    #expect(
      results[1].rejection
        == OperationRejection(code: "reserved", message: "the book is reserved"))
    #expect(try Set(ann.rows.keys) == ["b0", "b2"])
  }

  @Test func `the server returns the reason of a rejection again if the sync packet is repeated`()
    throws
  {
    var ann = try Device("ann", on: server())
    let packet = packet(&ann, [("Forbidden", nil)])
    let first = try ann.push(packet)

    #expect(try ann.push(packet) == first)
    #expect(first.results?.results.first?.rejection != nil)
  }

  @Test
  func `the server replaces an invalid rejection code by a default and truncates a long message`()
    throws
  {
    let message = String(repeating: "é", count: 10_000)
    for code in ["", "a\0b", String(repeating: "x", count: 2000)] {
      var ann = try Device("ann", on: server(rejecting: code, message: message))

      let answer = try ann.push(packet(&ann, [("Forbidden", nil)]))
      let decoded = try PushAnswer(decoding: try answer.encoded())

      #expect(decoded.results?.results.first?.rejection?.code == "rejected")
      #expect(decoded.results?.results.first?.rejection?.message.count == 1000)
    }
  }

  @Test func `a group of operations is applied as a whole or not at all`() throws {
    var ann = try Device("ann", on: server())

    let answer = try ann.push(
      packet(
        &ann,
        [
          ("Dune", "g"), ("Forbidden", "g"), ("Emma", "g"), ("Ulysses", "h"), ("Ivanhoe", "h"),
          ("Middlemarch", nil),
        ]))

    #expect(
      answer.statuses
        == [.groupAborted, .rejected, .groupAborted, .applied, .applied, .applied])
    #expect(try Set(ann.rows.keys) == ["b3", "b4", "b5"])
  }

  @Test
  func `the author of an aborted group of operations receives the group's values as conflicts`()
    throws
  {
    var ann = try Device("ann", on: server())

    _ = try ann.push(packet(&ann, [("Dune", "g"), ("Forbidden", "g")]))

    let conflicts = try #require(try ann.page()?.conflicts)
    #expect(conflicts.map(\.kind) == [.groupAborted, .rejected])
    #expect(conflicts[0].values["title"]?.value == .text("Dune"))
  }

  @Test func `a validator receives the change, its author and the current row`() throws {
    let seen = Recorder()
    let server = SyncServer(
      store: InMemorySyncStore(),
      validate: { change in
        seen.append(change)
        return nil
      }, environment: TestClock().environment)
    var ann = try Device("phone", account: "ann", on: server)
    try ann.send(.insert(.title("Dune")))
    try ann.send(.update(.title("Emma"), increments: ["loans": 2]))
    try ann.send(.delete)
    try ann.send(.delete)

    let changes = seen.changes
    #expect(changes.map(\.kind) == [.insert, .update, .delete, .delete])
    #expect(changes.allSatisfy { $0.account == "ann" && $0.replica == "phone" })
    #expect(
      changes.map(\.row) == [nil, .title("Dune"), changes[2].row, nil])
    #expect(changes[1].values == .title("Emma"))
    #expect(changes[1].increments == ["loans": 2])
    #expect(changes[2].row?["title"] == .text("Emma"))
  }

  @Test(.heavy)
  func `an update that makes a row too large for a pulled page of changes is rejected`() throws {
    var ann = try Device("ann", on: server())
    let half = String(repeating: "x", count: SyncLimits.rowBytes / 2)
    try ann.send(.insert(["text": .text(half)]))

    let result = try ann.send(.update(["note": .text(half)]))

    #expect(result?.status == .rejected)
    #expect(result?.rejection?.code == "too_large")
    #expect(try ann.rows["b1"]?.count == 1)
    let page = try #require(try ann.page(after: 1))
    #expect(page.conflicts.map(\.kind) == [.rejected])
    #expect(page.conflicts.first?.values.count == 1)
  }

  @Test(.heavy)
  func `an update is rejected if the resulting row has too many columns to be sent in one message`()
    throws
  {
    var ann = try Device("ann", on: server())
    func columns(_ prefix: String) -> FieldValues {
      Dictionary(
        uniqueKeysWithValues: (0..<20_000).map { number in
          (ExactString("\(prefix)\(number)"), SyncValue.integer(0))
        })
    }
    try ann.send(.insert(columns("a")))

    let result = try ann.send(.update(columns("b")))

    #expect(result?.status == .rejected)
    #expect(result?.rejection?.code == "too_large")
    let page = try #require(try ann.page())
    #expect(page.rows.map { $0.fields?.count } == [20_000])
  }

  @Test(.heavy)
  func `a conflict that is too large for a pulled page of changes is stored without its values`()
    throws
  {
    var ann = try Device("ann", on: server())
    let text = String(repeating: "x", count: SyncLimits.rowBytes * 2)

    let result = try ann.send(.update(["text": .text(text)]))

    #expect(result?.status == .rejected)
    #expect(try ann.page()?.conflicts.first?.values == [:])
    #expect(try ann.page()?.conflicts.first?.message?.contains("bytes") == true)
  }
}
