import DifferentialChecks
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSync

@Suite struct WireMessageTests {
  @Test(arguments: SampleMessages.all.indices)
  func `decoding an encoded sync message returns an equal message`(index: Int) throws {
    try expectUnchanged(SampleMessages.all[index])
  }

  private func expectUnchanged<Message: WireMessage>(_ message: Message) throws {
    let data = try message.encoded()
    #expect(try Message(decoding: data) == message)
  }

  @Test(arguments: SampleMessages.all.indices)
  func `every truncated sync message is refused`(index: Int) throws {
    try expectRefusal(ofPartsOf: SampleMessages.all[index])
  }

  private func expectRefusal<Message: WireMessage>(ofPartsOf message: Message) throws {
    let data = try message.encoded()
    for length in 0..<data.count {
      #expect(throws: StorageError.self) { try Message(decoding: data.prefix(length)) }
    }
  }

  @Test(.heavy, arguments: SampleMessages.all.indices)
  func `a sync message with random changes is either decoded or refused with an error`(index: Int)
    throws
  {
    var refused = 0
    for seed in 0..<UInt64(400) {
      let choices = Choices(seed: seed)
      refused += try isRefused(SampleMessages.all[index], after: choices) ? 1 : 0
    }
    #expect(refused > 0)
  }

  /// Replaces random values of an encoded message, and returns whether decoding the message fails.
  private func isRefused<Message: WireMessage>(
    _ message: Message, after choices: Choices
  ) throws -> Bool {
    let json = try JSONReader.read(message.encoded())
    let changed = JSONWriter.data(json.changed(choices))
    do throws(StorageError) {
      let read = try Message(decoding: changed)
      // What is read can be written and read again.
      #expect(try Message(decoding: read.encoded()) == read)
      return false
    } catch {
      #expect(error.message.hasPrefix("cannot decode the \(Message.messageName): "))
      return true
    }
  }

  @Test func `unknown JSON members of a sync message are ignored`() throws {
    for message in SampleMessages.all { try expectUnchanged(message, withFurtherMembers: true) }
  }

  private func expectUnchanged<Message: WireMessage>(
    _ message: Message, withFurtherMembers: Bool
  ) throws {
    guard case .object(var members) = try JSONReader.read(message.encoded()) else { return }
    members["later"] = .object(["a": .array([.numberOutOfRange, .bool(true)])])
    let data = JSONWriter.data(.object(members))
    #expect(try Message(decoding: data) == message)
  }

  @Test(arguments: ["0", "2", "1.0", #""1""#, "null"])
  func `a sync message of another version of the protocol is refused`(version: String) throws {
    let data = Data(#"{"protocol":\#(version),"scope":"user:1","at":12}"#.utf8)

    let error = #expect(throws: StorageError.self) { try DigestRequest(decoding: data) }

    #expect(error?.code == (Int(version) == nil ? .decodingFailed : .notSupported))
  }

  @Test func `a sync message that is too large is refused before it is decoded`() {
    let data = Data(repeating: UInt8(ascii: "["), count: SyncLimits.messageBytes + 1)

    let error = #expect(throws: StorageError.self) { try DigestRequest(decoding: data) }

    #expect(error?.code == .tooLarge)
  }

  @Test func `a sync message that exceeds the size limit is not encoded`() {
    let text = String(repeating: "a", count: SyncLimits.messageBytes)
    let update = SampleMessages.operation(1, .update(["note": .text(text)]))
    let packet = SyncPacket(
      scope: "s", epoch: "E", replica: "R", packet: "P", operations: [update])

    let error = #expect(throws: StorageError.self) { try packet.encoded() }

    #expect(error?.code == .tooLarge)
  }

  @Test func `a decoding error names the invalid value of a sync message`() {
    let data = Data(
      #"""
      {"protocol":1,"epoch":"E","replica":"R","last_seq":1,"head":1,"server_time":1,
       "results":[{"operationIdentifier":"op1","seq":1,"status":"sideways","version":0}]}
      """#.utf8)

    let error = #expect(throws: StorageError.self) { try PushAnswer(decoding: data) }

    #expect(error?.code == .notSupported)
    #expect(
      error?.message == "cannot decode the answer to a packet: \"results[0].status\": "
        + "this version of the library does not support the value \"sideways\"; "
        + "update this application, or the program that sent the message")
  }
}

extension JSONValue {
  /// Returns the value after random changes.
  ///
  /// Some parts are replaced by values of other types or sizes, and some members are removed.
  fileprivate func changed(_ choices: Choices) -> JSONValue {
    let others: [JSONValue] = [
      .null, .bool(true), .integer(0), .integer(-1), .integer(1 << 53), .real(0.5), .string(""),
      .string("x\0"), .string(String(repeating: "n", count: 2000)), .array([]), .object([:]),
      .object(["$b": .string("?")]),
    ]
    if choices.oneIn(12) { return choices.pick(others) }
    switch self {
    case .array(let elements): return .array(elements.map { $0.changed(choices) })
    case .object(let members):
      var changed: [ExactString: JSONValue] = [:]
      for (name, value) in members.sorted(by: { $0.key < $1.key }) where !choices.oneIn(30) {
        changed[name] = value.changed(choices)
      }
      return .object(changed)
    default: return self
    }
  }
}
