import Foundation
import Testing
import UndercroftSync

/// Tests that pin the format in `Docs/Formats/SyncWire.md`.
@Suite struct SyncWireFormatTests {
  @Test func `encoded sync messages have the golden bytes`() throws {
    let golden = try SyncWireLine.all()

    #expect(golden.map(\.name) == SyncWireMessages.all.map(\.name))
    for (line, (_, message)) in zip(golden, SyncWireMessages.all) {
      #expect(String(decoding: try message.encoded(), as: UTF8.self) == line.json)
    }
  }

  @Test func `the golden bytes of each sync message are decoded`() throws {
    for (line, (_, message)) in zip(try SyncWireLine.all(), SyncWireMessages.all) {
      try expect(message, from: line)
    }
  }

  private func expect<Message: WireMessage>(_ message: Message, from line: SyncWireLine) throws {
    #expect(try Message(decoding: Data(line.json.utf8)) == message, "\(line.name)")
  }

  @Test func `the sync protocol has version 1`() {
    #expect(syncProtocolVersion == 1)
  }

  @Test func `the hash chain of sync operations has the golden hashes`() {
    var chain = OperationChain()
    chain.append("op1")
    let first = chain.hash?.digits
    chain.append("op2")

    #expect(first == Self.first)
    #expect(chain.hash?.digits == Self.second)
  }

  private static let first = "21b4a4f13aba2421e124a3285a0ee92b8505650e94946a0377a9309a4164ce61"
  private static let second = "9efdac049f4949bb5052578a5a8574c0f1602a7eefc454b5c999afa61e5f436c"
}

/// A line of `Golden/SyncWire1.txt`: the name of a message and its JSON form.
struct SyncWireLine {
  let name: String
  let json: String

  static func all() throws -> [SyncWireLine] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "Golden/SyncWire1.txt")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
      let parts = line.split(separator: "\t", maxSplits: 1)
      return SyncWireLine(name: String(parts[0]), json: String(parts[1]))
    }
  }
}
