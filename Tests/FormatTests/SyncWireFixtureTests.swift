import Foundation
import Testing
import UndercroftCore
import UndercroftSync

/// Tests of messages that earlier versions wrote, which `Golden/SyncWire1.txt` contains.
///
/// Unlike files, messages are not stored. But replicas that are not updated continue to send them.
@Suite struct SyncWireFixtureTests {
  @Test func `a server decodes the requests of every earlier release`() throws {
    let requests = try SyncWireLine.all()

    #expect(try decode(HelloRequest.self, "hello", requests).account == "ann")
    #expect(try decode(SyncPacket.self, "packet", requests).operations.count == 3)
    #expect(try decode(PullRequest.self, "pull", requests).cursor == 9)
    #expect(try decode(DigestRequest.self, "digest-request", requests).version == 12)
  }

  @Test func `values that an earlier release sent are decoded with the documented types and bytes`()
    throws
  {
    let packet = try decode(SyncPacket.self, "packet", try SyncWireLine.all())

    let values = try #require(packet.operations.first).change.values

    #expect(values["title"] == .text("Dune \"é\"\n"))
    #expect(values["note"] == .null)
    #expect(values["pages"] == .integer(412))
    #expect(values["rating"] == .real(5))
    #expect(values["weight"] == .real(-0.0))
    #expect(values["tiny"] == .real(.leastNonzeroMagnitude))
    #expect(values["barcode"] == .integer(.max))
    #expect(values["latin"] == .malformedText(Data([0x44, 0xFC])))
    #expect(values["old"] == .text("a\0b"))
    #expect(values["cover"] == .blob(Data([0, 255])))
    #expect(values["north"] == .real(.infinity))
    #expect(values["south"] == .real(-.infinity))
  }

  @Test
  func `a replica decodes the refusals that servers of every earlier release send`() throws {
    let answers = try SyncWireLine.all()

    #expect(try decode(PushAnswer.self, "forked", answers) == .refused(.forked))
    #expect(try decode(PushAnswer.self, "epoch", answers) == .refused(.epoch("E2")))
    #expect(
      try decode(PushAnswer.self, "upgrade", answers)
        == .refused(.upgradeRequired(minimumPush: 5)))
    #expect(try decode(PullAnswer.self, "reset", answers) == .refused(.reset(.floor, "E2")))
  }

  private func decode<Message: WireMessage>(
    _ type: Message.Type, _ name: String, _ lines: [SyncWireLine]
  ) throws -> Message {
    let line = try #require(lines.first { $0.name == name })
    return try Message(decoding: Data(line.json.utf8))
  }
}
