import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftInspection

@Suite struct ValueTextTests {
  private struct Loan: Codable {
    var book = "Dune \"in French\""
    var days = -21
    var weight = 0.5
    var isLate = true
    var since = Date(timeIntervalSinceReferenceDate: 0)
    var cover = Data(repeating: 0xab, count: 20)
    var readers = ["Ada", "Zoë 📚, who reads a great deal"]
    var notes: [String] = []
  }

  @Test func `ValueText.readable indents JSON without changing its tokens`() {
    let json = #"{"b":[1,{}, [ ],12345678901234567890,1.10],"a":"x:{,\"","a":null}"#
    #expect(
      ValueText.readable(Data(json.utf8)) == """
        {
          "b": [
            1,
            {},
            [],
            12345678901234567890,
            1.10
          ],
          "a": "x:{,\\"",
          "a": null
        }
        """)
    #expect(ValueText.readable(Data(json.utf8), codec: "string") == json)
    #expect(ValueText.readable(Data("\"dark\"".utf8), codec: "json") == "\"dark\"")
    #expect(ValueText.readable(Data("{no json".utf8), codec: "json") == "{no json")

    let deep = String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)
    #expect(ValueText.readable(Data(deep.utf8)) == deep)
  }

  private final class Box: Codable {
    var inner: Box?
    init(_ inner: Box?) { self.inner = inner }
  }

  @Test
  func `formatting deeply nested values does not overflow a stack of 512 KiB`()
    async throws
  {
    for depth in [10, 64, 65, 400, 511] {
      let box = (1..<depth).reduce(Box(nil)) { inner, _ in Box(inner) }
      for codec in [JSONCodec(), PropertyListCodec(), PropertyListCodec(.xml)] as [any Codec] {
        let bytes = try codec.encode(box)
        let text = try await onSmallStack { ValueText.readable(bytes) }
        #expect(!text.isEmpty)
        if codec is JSONCodec { #expect(text.split(separator: "\n").count == 2 * depth - 1) }
      }
    }
  }

  @Test func `ValueText.readable returns truncated JSON of any nesting depth unchanged`() {
    for count in [1, 64, 65, 511, 512, 513, 514, 100_000] {
      for level in ["[", #"{"a":"#] {
        let text = String(repeating: level, count: count)
        #expect(ValueText.readable(Data(text.utf8)) == text)
      }
    }
  }

  @Test func `ValueText.readable converts a binary property list to indented text`() throws {
    let bytes = try PropertyListCodec(.binary).encode(Loan())
    let text = ValueText.readable(bytes, codec: "plist-binary")
    for line in [
      #""book": "Dune \"in French\"""#, #""days": -21"#, #""weight": 0.5"#, #""isLate": true"#,
      #""since": 2001-01-01T00:00:00Z"#, #""cover": <abababababababababababababababab… 20 bytes>"#,
      "\"readers\": [\n    \"Ada\",\n    \"Zoë 📚, who reads a great deal\"\n  ]", #""notes": []"#,
    ] { #expect(text.contains(line), "\(line)\n\(text)") }
  }

  @Test
  func `ValueText.readable returns some text for any truncated or bit-flipped property list`()
    throws
  {
    let bytes = try PropertyListCodec(.binary).encode(Loan())
    for position in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[position] ^= 1 << bit
        #expect(!ValueText.readable(damaged).isEmpty)
      }
      #expect(!ValueText.readable(bytes.prefix(position + 1)).isEmpty)
    }
  }

  @Test
  func `ValueText shows each array of a property list once if it has a cycle or is repeated`() {
    // An array that contains itself twice; then 40 arrays that contain the next one twice.
    func list(_ objects: [[UInt8]]) -> Data {
      var bytes = Data("bplist00".utf8)
      var offsets: [UInt8] = []
      for object in objects {
        offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)]
        bytes += object
      }
      let table = UInt8(bytes.count)
      bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
      for number in [UInt8(objects.count), 0, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
      return bytes
    }
    #expect(ValueText.readable(list([[0x51, 65]])) == "\"A\"")
    #expect(ValueText.readable(list([[0xa2, 0, 0]])).contains("which contains this one"))

    let pairs = (0..<40).map { [0xa2, UInt8($0 + 1), UInt8($0 + 1)] }
    let nested = ValueText.readable(list(pairs + [[0x09]]))
    #expect(nested.contains("true"))
    #expect(nested.contains("shown above"))
    #expect(nested.utf8.count < 10_000)
  }

  @Test func `escaped JSON contains no control characters and decodes to the original value`()
    throws
  {
    let text = "\u{9b}31m\u{202e}é📚\u{e0001}\u{7f}"
    let json = String(decoding: try JSONEncoder().encode([text]), as: UTF8.self)
    let safe = JSONText.safe(json)

    #expect(!safe.unicodeScalars.contains { $0 == "\u{9b}" || $0 == "\u{202e}" || $0 == "\u{7f}" })
    #expect(safe.contains("é📚"))
    #expect(try JSONDecoder().decode([String].self, from: Data(safe.utf8)) == [text])
  }
}
