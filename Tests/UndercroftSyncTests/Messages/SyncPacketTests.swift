import Foundation
import Testing
import UndercroftCore
import UndercroftSync

@Suite struct SyncPacketTests {
  private func packet(
    _ operations: [SyncOperation], after chain: OperationChain = SampleMessages.chain
  ) -> SyncPacket {
    SyncPacket(
      scope: "s", epoch: "E", replica: "R", packet: "P", after: chain, operations: operations)
  }

  private func operation(_ sequence: Int64, group: String? = nil) -> SyncOperation {
    var operation = SampleMessages.operation(sequence, .delete)
    operation.group = group
    return operation
  }

  private func reason(_ packet: SyncPacket) throws -> String {
    let data = try packet.encoded()
    return #expect(throws: StorageError.self) { try SyncPacket(decoding: data) }?.message ?? ""
  }

  @Test func `a sync packet extends the preceding operation chain by the operations of the packet`()
  {
    var expected = SampleMessages.chain
    expected.append("op2")
    expected.append("op3")

    let packet = packet([operation(2), operation(3)])

    #expect(packet.chainBefore == SampleMessages.chain)
    #expect(packet.chainAfter == expected)
  }

  @Test
  func `a sync packet is divided into groups of operations, each of which is applied as a whole`() {
    let packet = packet([
      operation(2), operation(3), operation(4, group: "a"), operation(5, group: "a"),
      operation(6, group: "b"), operation(7),
    ])

    #expect(packet.groups.map { $0.map(\.sequence) } == [[2], [3], [4, 5], [6], [7]])
  }

  @Test func `a sync packet without operations is refused`() throws {
    #expect(
      try reason(packet([])) == "cannot decode the packet: \"ops\": expected at least one "
        + "operation; compare the message with Docs/Formats/SyncWire.md, and correct the program that "
        + "sent the message")
  }

  @Test func `a sync packet whose sequence numbers are not consecutive is refused`() throws {
    let message = "expected the sequence number "
    #expect(try reason(packet([operation(2), operation(4)])).contains("\"ops[1]\": \(message)"))
    #expect(try reason(packet([operation(3), operation(2)])).contains(message))
    #expect(try reason(packet([operation(2), operation(2)])).contains(message))
    #expect(try reason(packet([operation(0)])).contains("sequence number 0"))
  }

  @Test
  func `a sync packet is refused if operation 1 has a predecessor or operation 2 has none`()
    throws
  {
    let surplus = "sequence number 1 must not have the member \"dependencyIdentifier\" or "
    let missing = "sequence number 2 must have the members \"dependencyIdentifier\" and "

    #expect(try reason(packet([operation(1)])).contains(surplus))
    #expect(try reason(packet([operation(2)], after: OperationChain())).contains(missing))
  }

  @Test func `a sync packet with two operations that have the same identifier is refused`() throws {
    var second = operation(3)
    second.operationIdentifier = "op2"

    #expect(
      try reason(packet([operation(2), second])).contains("\"operationIdentifier\", \"op2\""))
  }

  @Test func `a sync packet is refused if the operations of a group are not consecutive`() throws {
    let packet = packet([
      operation(2, group: "a"), operation(3, group: "b"), operation(4, group: "a"),
    ])

    #expect(try reason(packet).contains("the operations of the group \"a\" are not consecutive"))
  }

  @Test func `an update with both a value and an increment for one column is refused`() throws {
    let change = OperationChange.update(["loans": .null], increments: ["loans": 1])

    let reason = try reason(packet([SampleMessages.operation(2, change)]))

    #expect(
      reason.contains("\"ops[0].payload\": the column \"loans\" is in the member \"set\" and also"))
  }

  @Test func `an operation that lists more than 64 merged operations is refused`() throws {
    var operation = operation(2)
    operation.absorbed = (0...64).map { AbsorbedOperation(OperationIdentifier("a\($0)")) }

    let reason = try reason(packet([operation]))

    #expect(reason.contains("expected at most 64 values, found 65"))
  }

  @Test func `a table or column name that is empty, too long or contains NUL is refused`() throws {
    for (name, part) in [
      ("", "must not be empty"), (String(repeating: "n", count: 1025), "1025 bytes"),
      ("a\0b", "NUL"),
    ] {
      var operation = operation(2)
      operation.table = name
      #expect(try reason(packet([operation])).contains("\"ops[0].table\": "))
      #expect(try reason(packet([operation])).contains(part))
      let change = OperationChange.update([ExactString(name): .null])
      #expect(try reason(packet([SampleMessages.operation(2, change)])).contains(part))
    }
  }

  @Test func `an operation with a timestamp out of range is read with the largest valid timestamp`()
    throws
  {
    var operation = operation(2)
    operation.timestamp = .max

    let read = try SyncPacket(decoding: packet([operation]).encoded())

    #expect(read.operations.first?.timestamp == 1 << 53)
  }
}
