import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftTesting

/// Tests that decoding a damaged or hostile property list returns a value or throws, and never
/// crashes.
@Suite struct PropertyListFuzzTests {
  private let codec = PropertyListCodec()

  private struct Shelf: Codable, Equatable {
    var name = "fiction"
    var loans = [
      Loan(book: "Emma & <Sense>", days: 14, note: nil), Loan(book: "図書館", days: 3, note: "n"),
    ]
    var seals = ["a": Data([0, 255]), "b": Data()]
    var dates = [Date(timeIntervalSinceReferenceDate: 800_000_000)]
    var ratio = 0.1
    var isOpen = true
  }

  @Test(arguments: [
    "<>", " <>", "<plist><>", "a <> b", #"{"sql": "a <> b"}"#, "<", "</>", "<!", "<?",
  ])
  func `decoding a property list with an empty or unfinished tag throws an error`(_ text: String)
    throws
  {
    for encoding in [String.Encoding.utf8, .utf16, .utf16BigEndian, .utf16LittleEndian] {
      let bytes = try #require(text.data(using: encoding))
      #expect(throws: (any Error).self) { try codec.decode(Shelf.self, from: bytes) }
    }
  }

  @Test
  func `decoding an empty XML tag in any text encoding throws an error`() {
    for bytes: [UInt8] in [
      [0x3c, 0x3e], [0x3c, 0, 0x3e], [0xfe, 0xff, 0x3c, 0x3e], [0xff, 0xfe, 0x3e, 0x3c],
      [0, 0x3c, 0, 0x3e], [0xff, 0x3c, 0, 0, 0x3e, 0xff], [0xef, 0xbb, 0xbf, 0x3c, 0x3e],
    ] {
      #expect(throws: (any Error).self) { try codec.decode(Shelf.self, from: Data(bytes)) }
    }
  }

  @Test func `an XML property list in UTF-16 is decoded to the same value as in UTF-8`() throws {
    let bytes = try PropertyListCodec(.xml).encode(Shelf())
    let text = String(decoding: bytes, as: UTF8.self)
    for text in [text, text.replacingOccurrences(of: "UTF-8", with: "UTF-16")] {
      for (mark, encoding) in [
        ([0xfe, 0xff], String.Encoding.utf16BigEndian), ([0xff, 0xfe], .utf16LittleEndian),
      ] as [([UInt8], String.Encoding)] {
        let wide = try Data(mark) + #require(text.data(using: encoding))
        #expect(try codec.decode(Shelf.self, from: wide) == Shelf())
      }
    }
  }

  private struct Levels: Codable, Equatable {
    var below: [Levels] = []

    init(below: [Levels]) { self.below = below }

    init(from decoder: any Decoder) throws { below = try [Levels](from: decoder) }

    func encode(to encoder: any Encoder) throws { try below.encode(to: encoder) }
  }

  /// A binary property list of arrays that refer to each other by number; array 0 is the root.
  private func binaryList(ofArrays arrays: [[UInt8]]) -> Data {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for array in arrays {
      offsets.append(UInt8(bytes.count))
      bytes += [0xa0 | UInt8(array.count)] + array
    }
    let table = UInt8(bytes.count)
    let zeros = [UInt8](repeating: 0, count: 7)
    bytes += offsets + zeros.dropLast() + [1, 1]
    return Data(bytes + zeros + [UInt8(arrays.count)] + zeros + [0] + zeros + [table])
  }

  @Test(arguments: [[[0]], [[1], [0]], [[1, 1, 1], [2, 2, 2], [0, 0, 0]], [[1], [2, 1]]])
  func `decoding a property list array that contains itself throws an error`(_ arrays: [[UInt8]]) {
    let bytes = binaryList(ofArrays: arrays)
    let reason = reason(of: bytes)
    #expect(
      reason?.hasPrefix("an array or dictionary of the property list contains itself (") == true)
  }

  private func nestedArrays(_ depth: Int) -> String {
    String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
  }

  @Test(arguments: [1, 64, 65, 513, 514, 8_192])
  func `a property list of up to 8192 levels is decoded on a small stack`(depth: Int) async throws {
    var arrays = (0..<depth - 1).map { [UInt16($0 + 1)] }
    arrays.append([])
    let binary = binaryList(ofWideArrays: arrays)
    let xml = Data(nestedArrays(depth).utf8)

    for bytes in [binary, xml] {
      let found = try await onSmallStack {
        var levels = try codec.decode(Levels.self, from: bytes)
        var depth = 1
        // A loop, because recursive deinitialization also uses stack space.
        while let below = levels.below.popLast() { (depth, levels) = (depth + 1, below) }
        return depth
      }
      #expect(found == depth)
    }
  }

  /// A binary property list of arrays with references of two bytes; array 0 is the root.
  private func binaryList(ofWideArrays arrays: [[UInt16]]) -> Data {
    func bytes(_ number: Int, _ width: Int) -> [UInt8] {
      (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    var list = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for array in arrays {
      offsets += bytes(list.count, 4)
      list += [0xa0 | UInt8(array.count)] + array.flatMap { bytes(Int($0), 2) }
    }
    let table = list.count
    list += offsets + [0, 0, 0, 0, 0, 0, 4, 2]
    return Data(list + bytes(arrays.count, 8) + bytes(0, 8) + bytes(table, 8))
  }

  /// Returns the reason why a list cannot be decoded, or `nil` if it can be decoded.
  private func reason(of bytes: Data) -> String? {
    do {
      _ = try codec.decode(Levels.self, from: bytes)
      return nil
    } catch DecodingError.dataCorrupted(let context) {
      return context.debugDescription
    } catch {
      return "\(error)"
    }
  }

  @Test func `the error of a rejected property list states the reason`() {
    let tooDeep = Data(nestedArrays(8_193).utf8)
    #expect(reason(of: tooDeep) == "the property list is nested more than 8192 levels deep")
    var tooLarge = Data("bplist00".utf8) + [0xaf, 0x13] + Data(repeating: 0x7f, count: 8) + [8]
    tooLarge += [0, 0, 0, 0, 0, 0, 1, 1] + Data(count: 7) + [1] + Data(count: 15) + [18]
    #expect(
      reason(of: tooLarge) == """
        an object of 9187201950435737471 elements does not fit into the 0 bytes up to the table of \
        offsets (byte 8)
        """)
    #expect(
      reason(of: Data("<plist>\0".utf8))
        == "the element plist contains text where only elements may be (line 1, column 8)")
    #expect(
      reason(of: Data("{ title = \0".utf8))
        == "the bytes are neither a property list nor text in UTF-8 or UTF-16")
  }

  @Test func `a property list array that is referenced several times is decoded at each reference`()
    throws
  {
    let bytes = binaryList(ofArrays: [[1, 1], [2, 2], []])
    let below = Levels(below: [Levels(below: []), Levels(below: [])])
    #expect(try codec.decode(Levels.self, from: bytes) == Levels(below: [below, below]))
  }

  @Test
  func `decoding a property list whose references expand to a million arrays throws an error`() {
    let doubled = (1...20).map { [UInt8($0), UInt8($0)] } + [[]]
    let bytes = binaryList(ofArrays: doubled)
    #expect(
      reason(of: bytes)
        == """
        the property list refers to objects so often that decoding would need too much memory \
        (byte 21)
        """)
  }

  @Test(arguments: [PropertyListCodec.Format.xml, .binary], 1...4)
  func `decoding a randomly damaged property list never crashes`(
    _ format: PropertyListCodec.Format, _ seed: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var sound = try PropertyListCodec(format).encode(Shelf())
    if seed == 4, format == .xml {
      sound = try #require(String(decoding: sound, as: UTF8.self).data(using: .utf16))
    }
    let marks: [[UInt8]] = [
      Array("<>".utf8), Array("<array>".utf8), Array("</dict>".utf8), Array("<!--".utf8),
      Array("<?".utf8), Array("<![CDATA[".utf8), Array("(".utf8), [0], [0xff], [0x7f, 0xff],
    ]
    var failures = 0
    for _ in 0..<1_500 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let offset = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes = bytes.prefix(offset)
        case 1: bytes.insert(contentsOf: marks.randomElement(using: &random) ?? [], at: offset)
        case 2: bytes = bytes.prefix(offset) + bytes.dropFirst(offset + 3)
        case 3: bytes += bytes.suffix(offset)
        default:
          if offset < bytes.count { bytes[offset] = UInt8.random(in: 0...255, using: &random) }
        }
        bytes = Data(bytes)
      }
      do { _ = try codec.decode(Shelf.self, from: bytes) } catch { failures += 1 }
    }

    #expect(failures > 500)
  }
}
