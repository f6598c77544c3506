import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftTesting

@Suite struct NestingTests {
  /// A box that contains another box, one level each, with stack frames of ordinary size.
  final class Box: Codable {
    var title = "Emma"
    var shelf: Int? = 7
    var inner: Box?

    static func nested(_ depth: Int) -> Box {
      var box = Box()
      for _ in 1..<max(depth, 1) {
        let outer = Box()
        outer.inner = box
        box = outer
      }
      return box
    }

    var depth: Int {
      var (depth, box) = (1, self)
      while let inner = box.inner { (depth, box) = (depth + 1, inner) }
      return depth
    }

    /// Releases the boxes in a loop, because recursive deinitialization also uses stack space.
    static func release(_ box: consuming Box) {
      var next: Box? = box
      while let box = next { (next, box.inner) = (box.inner, nil) }
    }
  }

  /// A link that encodes only the next link, which adds a nested call but no level to the format.
  final class Link: Codable {
    let next: Link?

    init(_ next: Link?) { self.next = next }

    init(from decoder: any Decoder) throws { next = nil }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if let next { try container.encode(next) } else { try container.encode(["last"]) }
    }
  }

  struct Nested: Sendable, CustomTestStringConvertible {
    let codec: any Codec
    var testDescription: String { codec.name }
  }

  static let codecs = [
    Nested(codec: .json), Nested(codec: .binaryPropertyList), Nested(codec: .propertyList),
  ]

  @Test(arguments: codecs, [1, 63, 64, 65, 300, 510, 511])
  func `a value nested up to 511 levels round-trips on a small stack`(
    _ nested: Nested, _ depth: Int
  ) async throws {
    let found = try await onSmallStack {
      let box = Box.nested(depth)
      let bytes = try nested.codec.encode(box)
      let copy = try nested.codec.decode(Box.self, from: bytes)
      let found = copy.depth
      Box.release(box)
      Box.release(copy)
      return found
    }

    #expect(found == depth)
  }

  @Test(arguments: codecs, [512, 513, 600, 2_000, 3_000, 50_000])
  func `encoding a value nested more than 511 levels throws and does not overflow a small stack`(
    _ nested: Nested, _ depth: Int
  ) async throws {
    let error = await #expect(throws: StorageError.self) {
      try await onSmallStack {
        let box = Box.nested(depth)
        defer { Box.release(box) }
        _ = try nested.codec.encode(box)
      }
    }

    #expect(error?.code == .encodingFailed)
    #expect(error?.message.contains("511 levels") == true)
  }

  @Test(arguments: codecs)
  func `encoding a value through thousands of nested encode calls throws without a stack overflow`(
    _ nested: Nested
  )
    async throws
  {
    var link = Link(nil)
    for _ in 0..<3_000 { link = Link(link) }
    let chain = Mutex(link)

    let error = await #expect(throws: StorageError.self) {
      try await onSmallStack { _ = try chain.withLock { try nested.codec.encode($0) } }
    }

    #expect(error?.code == .encodingFailed)
  }

  @Test(.heavy)
  func `decoding a deeply nested XML property list with closing tags in comments throws an error`()
    async throws
  {
    // A parser that ignores comments and processing instructions sees each level closed.
    let tricks = [
      "<array>", "<array><?x </array> ?>", "<array><?x > </array></array> ?>",
      "<dict><key>a</key><!--> </dict></dict> -->", "<array a=\"\"><!-- </array></array> > -->",
      "<array>\n<true/>", "<dict><key><![CDATA[</key></dict></dict>]]></key>", "<arrays>",
    ]
    for trick in tricks {
      for opening in ["", "<plist>", "<?> <!-- ?><plist>", "<?xml version='1.0'?>", "<!DOCTYPE a>"]
      {
        let text = opening + String(repeating: trick, count: 100_000)
        for bytes in [Data(text.utf8), try #require(text.data(using: .utf16))] {
          let error = await #expect(throws: (any Error).self, "\(opening)\(trick)") {
            try await onSmallStack {
              _ = try PropertyListCodec().decode([String: String].self, from: bytes)
            }
          }
          #expect(error is DecodingError)
        }
      }
    }
  }

  @Test(arguments: ["(", "{a=", "{\"a\"=(", "[", "{\"a\":["])
  func `decoding JSON or a property list with unclosed brackets throws without a stack overflow`(
    _ level: String
  ) async throws {
    for count in [1, 60, 64, 65, 500, 512, 513, 514, 100_000] {
      for (text, encoding) in [(level, String.Encoding.utf8), (level, .utf16), (level, .utf32)] {
        let text = String(repeating: text, count: count)
        let bytes = try #require(text.data(using: encoding))
        for codec in [JSONCodec(), PropertyListCodec()] as [any Codec] {
          await #expect(throws: DecodingError.self) {
            try await onSmallStack { _ = try codec.decode([[String]].self, from: bytes) }
          }
        }
      }
    }
  }

  @Test func `JSON in UTF-16 with the maximum nesting is decoded on a small stack`() async throws {
    // Each of these characters has the byte of a bracket or a quote in UTF-16.
    let hidden = "\u{5d5d}\u{7d7d}\u{2222}"
    let start = #"{"title":"\#(hidden)","inner":"#
    let text =
      String(repeating: start, count: 511) + #"{"title":""}"# + String(repeating: "}", count: 511)
    for encoding in [String.Encoding.utf8, .utf16, .utf16BigEndian, .utf16LittleEndian] {
      let bytes = try #require(text.data(using: encoding))
      let found = try await onSmallStack {
        let box = try JSONCodec().decode(Box.self, from: bytes)
        defer { Box.release(box) }
        return box.depth
      }
      #expect(found == 512)
    }
  }

  @Test
  func `decoding a binary property list with cyclic or exponentially repeated references throws`()
    async throws
  {
    // Object n is an array of two references to object n + 1, and the last one refers to `last`.
    func list(_ count: UInt8, last: UInt8) -> Data {
      var bytes = Data("bplist00".utf8)
      for object in 0..<count {
        let next = object + 1 < count ? object + 1 : last
        bytes += [0xa2, next, next]
      }
      for object in 0..<count { bytes += [0, 8 + 3 * object].suffix(2) }
      bytes += [0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, count]
      bytes += [UInt8](repeating: 0, count: 8) + [0, 0, 0, 0, 0, 0, 0, 8 + 3 * count]
      return bytes
    }
    for (count, last) in [(70, 0), (70, 69), (3, 0), (70, 200)] as [(UInt8, UInt8)] {
      let bytes = list(count, last: last)
      await #expect(throws: DecodingError.self) {
        try await onSmallStack {
          _ = try PropertyListCodec().decode([String: Int].self, from: bytes)
        }
      }
    }
  }
}
