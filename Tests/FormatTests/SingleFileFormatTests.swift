import CZlib
import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests that pin the format in `Docs/Formats/SingleFile.md`.
@Suite struct SingleFileFormatTests {
  /// The entries before compression, because the compressed bytes can differ between versions of
  /// zlib.
  private static let entries = Data(
    hex: """
      0800000002000000617574686f722f3100ff04000000040000006c6f616e44756e650200
      000000000000c3bc
      """)

  /// The header, and the entries as zlib 1.2.13 compresses them.
  private static let file = Data(
    hex: """
      554e4446494c453103000000000000002c000000000000002a000000000000001b45b0ab
      ad71060d
      789ce36060606002e2c4d2928cfc227d4386ff2c401e08e7e427e6b994e6a5826441e0f0
      1e00afa808bc
      """)

  @Test
  func `a single-file store has the documented header and the zlib-compressed golden entries`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "archive")

      try SingleFileBackend(at: url).apply([
        .set("ü", Data()), .set("loan", Data("Dune".utf8)), .set("author/1", Data([0, 255])),
      ])

      let bytes = try Data(contentsOf: url)
      let packed = bytes.dropFirst(40)
      #expect(bytes.prefix(8) == Data("UNDFILE1".utf8))
      #expect(bytes.number(8..<16) == 3)
      #expect(bytes.number(16..<24) == Self.entries.count)
      #expect(bytes.number(24..<32) == packed.count)
      #expect(bytes.number(32..<36) == Int(packed.castagnoli))
      #expect(bytes.number(36..<40) == Int(bytes.prefix(36).castagnoli))
      #expect(Self.decompressed(packed)?.hex == Self.entries.hex)
    }
  }

  private static func decompressed(_ packed: Data) -> Data? {
    var count = uLong(1_000)
    var bytes = [UInt8](repeating: 0, count: 1_000)
    let result = uncompress(&bytes, &count, Array(packed), uLong(packed.count))
    return result == Z_OK ? Data(bytes.prefix(Int(count))) : nil
  }

  @Test func `the golden bytes of a single-file store are decoded`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "archive")
      try Self.file.write(to: url)

      let store = try SingleFileBackend(at: url)

      #expect(try store.keys(withPrefix: "") == ["author/1", "loan", "ü"])
      #expect(try store.read("author/1") == Data([0, 255]))
      #expect(try store.read("loan") == Data("Dune".utf8))
      #expect(try store.read("ü") == Data())
    }
  }
}
