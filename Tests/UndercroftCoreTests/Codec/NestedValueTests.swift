import Foundation
import Testing
import UndercroftCore

/// Tests of values that contain each other, up to the limit of each codec and beyond it.
@Suite struct NestedValueTests {
  @Test(arguments: ["<array>", "<dict><!-- </dict> --><key>a</key>", "<array><![CDATA[</array>]]>"])
  func `decoding a property list with too many nested levels throws an error`(level: String) {
    let bytes = Data(String(repeating: level, count: 100_000).utf8)
    #expect(throws: DecodingError.self) {
      try PropertyListCodec().decode([String: String].self, from: bytes)
    }
  }

  @Test(arguments: [0xaf, 0xdf] as [UInt8])
  func `decoding a binary property list with an object larger than the whole list throws an error`(
    mark: UInt8
  ) {
    var bytes = Data("bplist00".utf8)
    bytes += [mark, 0x13] + [UInt8](repeating: 0x7f, count: 8) + [8]
    // The trailer: sizes of offsets and references, object count, root object, offset of the table.
    bytes += [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1]
    bytes += [UInt8](repeating: 0, count: 15) + [18]

    #expect(throws: DecodingError.self) {
      try PropertyListCodec().decode([String: String].self, from: bytes)
    }
  }

  private final class Shelf: Codable {
    var inner: Shelf?
  }

  @Test(arguments: [NestedCodec.json, .binary, .xml], [10, 500, 600, 5_000])
  func `a codec that can encode a nested value can also decode the encoded value`(
    codec: NestedCodec, depth: Int
  ) throws {
    var shelf = Shelf()
    for _ in 1..<depth {
      let outer = Shelf()
      outer.inner = shelf
      shelf = outer
    }
    guard let bytes = try? codec.codec.encode(shelf) else {
      #expect(depth > 512)
      return
    }
    var found = 1
    var next = try codec.codec.decode(Shelf.self, from: bytes).inner
    while let shelf = next {
      found += 1
      next = shelf.inner
    }
    #expect(found == depth)
  }

  enum NestedCodec: CaseIterable {
    case json, binary, xml

    var codec: any Codec {
      switch self {
      case .json: .json
      case .binary: .binaryPropertyList
      case .xml: .propertyList
      }
    }
  }
}
