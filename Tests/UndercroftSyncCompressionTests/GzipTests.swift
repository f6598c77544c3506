import Testing
import UndercroftFoundation
import UndercroftSyncCompression

@Suite struct GzipTests {
  @Test(arguments: [0, 1, 1_023, 1_024, 65_535, 65_536, 65_537, 300_000])
  func `bytes are equal after compression and decompression`(count: Int) throws {
    let loans = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 255) })

    let packed = try #require(Gzip.compress(loans))
    let result = try Gzip.decompress(packed, limit: count)

    #expect(packed.starts(with: [0x1f, 0x8b, 8]))
    #expect(result == loans)
  }

  @Test func `bytes that cannot be compressed are equal after decompression`() throws {
    var random = SystemRandomNumberGenerator()
    let cover = Data((0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) })

    let packed = try #require(Gzip.compress(cover))
    let result = try Gzip.decompress(packed, limit: cover.count)

    #expect(packed.count > cover.count)
    #expect(result == cover)
  }

  @Test func `a catalogue of similar titles is compressed to less than a fifth`() throws {
    let titles = Data((0..<1_000).map { "{\"title\":\"Volume \($0)\"}," }.joined().utf8)

    let packed = try #require(Gzip.compress(titles))

    #expect(packed.count * 5 < titles.count)
  }

  @Test func `a slice of data is compressed and decompressed from its own bytes`() throws {
    let shelf = Data("before Dune after".utf8)
    let title = shelf[7..<11]

    let packed = try #require(Gzip.compress(title))
    let padded = Data([0, 0, 0]) + packed
    let result = try Gzip.decompress(padded[3...], limit: 4)

    #expect(result == Data("Dune".utf8))
  }

  // Written by Python's `gzip`: a header without optional fields, and one with a file name.
  @Test(arguments: [
    ("H4sIAAAAAAACA3MpzUtVSKpUcCtKzMtW8EgtSkotKgEAvdIsBxUAAAA=", "Dune by Frank Herbert"),
    (
      "H4sICAEAAAAC/2Jvb2tzLnR4dABzzc1NVEiqVPBKzEtVcCwtLknNAwCn1q8vEwAAAA==",
      "Emma by Jane Austen"
    ),
  ])
  func `data that another program has compressed is decompressed`(
    base64: String, text: String
  ) throws {
    let packed = try #require(Data(base64Encoded: base64))

    let result = try Gzip.decompress(packed, limit: 100)

    #expect(result == Data(text.utf8))
  }
}
