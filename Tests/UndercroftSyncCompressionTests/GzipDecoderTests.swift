import Testing
import UndercroftFoundation
import UndercroftSyncCompression

@Suite struct GzipDecoderTests {
  private static let titles = Data((0..<5_000).map { "Volume \($0)\n" }.joined().utf8)

  private static func packed(_ data: Data) throws -> Data {
    try #require(Gzip.compress(data))
  }

  /// Decompresses data that arrives in pieces.
  private static func decompress(
    _ packed: Data, pieces: Int, limit: Int = titles.count
  ) throws -> Data {
    let decoder = try GzipDecoder(limit: limit)
    var rest = packed
    while !rest.isEmpty {
      try decoder.append(rest.prefix(pieces))
      rest = rest.dropFirst(pieces)
    }
    return try decoder.finish()
  }

  // MARK: - Pieces and members

  @Test(arguments: [1, 2, 7, 1_000, 1_000_000])
  func `data is decompressed however it is divided into pieces`(pieces: Int) throws {
    let packed = try Self.packed(Self.titles)

    let result = try Self.decompress(packed, pieces: pieces)

    #expect(result == Self.titles)
  }

  @Test func `one short piece can expand to many bytes`() throws {
    let blank = Data(repeating: 0x20, count: 1_000_000)
    let packed = try Self.packed(blank)

    let result = try Self.decompress(packed, pieces: packed.count, limit: blank.count)

    #expect(result == blank)
  }

  @Test func `an empty piece changes nothing`() throws {
    let packed = try Self.packed(Self.titles)
    let decoder = try GzipDecoder(limit: Self.titles.count)

    try decoder.append(Data())
    try decoder.append(packed)
    try decoder.append(Data())
    let result = try decoder.finish()

    #expect(result == Self.titles)
  }

  @Test(arguments: [1, 5, 1_000_000])
  func `the members of the data are decompressed one after the other`(pieces: Int) throws {
    let members = ["Dune", "", "Emma"]
    let packed = try members.reduce(into: Data()) { $0 += try Self.packed(Data($1.utf8)) }

    let result = try Self.decompress(packed, pieces: pieces)

    #expect(result == Data("DuneEmma".utf8))
  }

  // MARK: - The limit

  @Test(arguments: [1, 65_535, 65_536, 65_537, 1_000_000])
  func `data of exactly the limit is decompressed, and with one byte more it is too large`(
    count: Int
  ) throws {
    let packed = try Self.packed(Data(repeating: 0x20, count: count))

    let result = try Gzip.decompress(packed, limit: count)

    #expect(result.count == count)
    #expect(throws: GzipError.tooLarge) { _ = try Gzip.decompress(packed, limit: count - 1) }
  }

  @Test func `the limit applies to all members together`() throws {
    let member = try Self.packed(Data(repeating: 0x20, count: 1_000))
    let packed = member + member

    let result = try Gzip.decompress(packed, limit: 2_000)

    #expect(result.count == 2_000)
    #expect(throws: GzipError.tooLarge) { _ = try Gzip.decompress(packed, limit: 1_999) }
  }

  @Test func `a ratio of more than two hundred is accepted within the limit`() throws {
    let blank = Data(repeating: 0x20, count: 8 << 20)
    let packed = try Self.packed(blank)

    let result = try Gzip.decompress(packed, limit: blank.count)

    #expect(packed.count * 200 < blank.count)
    #expect(result == blank)
  }

  @Test func `a piece that exceeds the limit fails before the data is complete`() throws {
    let packed = try Self.packed(Data(repeating: 0x20, count: 8 << 20))
    let decoder = try GzipDecoder(limit: 1_000)

    #expect(throws: GzipError.tooLarge) { try decoder.append(packed.prefix(packed.count / 2)) }
  }

  @Test func `an empty result is within the limit of 0 bytes`() throws {
    let packed = try Self.packed(Data())

    let result = try Gzip.decompress(packed, limit: 0)

    #expect(result.isEmpty)
  }

  // MARK: - Damage

  @Test func `data that ends at any earlier byte is damaged`() throws {
    let packed = try Self.packed(Data("Dune by Frank Herbert".utf8))

    for count in 0..<packed.count {
      #expect(throws: GzipError.damaged) {
        _ = try Gzip.decompress(packed.prefix(count), limit: 100)
      }
    }
  }

  @Test func `data that ends inside of its second member is damaged`() throws {
    let packed = try Self.packed(Data("Dune".utf8)) + Self.packed(Data("Emma".utf8))

    #expect(throws: GzipError.damaged) { _ = try Gzip.decompress(packed.dropLast(), limit: 100) }
  }

  @Test func `bytes after the last member that begin no other member are damage`() throws {
    let packed = try Self.packed(Data("Dune".utf8))

    for suffix in ["x", "{}", "\u{1f}", "\u{0}\u{0}"] {
      #expect(throws: GzipError.damaged) {
        _ = try Gzip.decompress(packed + Data(suffix.utf8), limit: 100)
      }
    }
  }

  // The ten bytes of the header contain the time and the system, which no checksum covers.
  @Test func `a changed bit after the header is never decompressed to other bytes`() throws {
    let text = Data("Dune by Frank Herbert".utf8)
    let packed = try Self.packed(text)

    for byte in 10..<packed.count {
      for bit in 0..<8 as Range<UInt8> {
        var changed = packed
        changed[changed.startIndex + byte] ^= 1 << bit
        let result = try? Gzip.decompress(changed, limit: 100)
        // The bits behind the end of the last block have no meaning.
        #expect(result == nil || result == text)
      }
    }
  }

  @Test(arguments: ["{}", "plain text", "\u{1f}"])
  func `data in another format is damaged`(text: String) {
    #expect(throws: GzipError.damaged) { _ = try Gzip.decompress(Data(text.utf8), limit: 100) }
  }

  @Test func `zlib data without the header of gzip is damaged`() throws {
    // `compress2` of "Dune".
    let packed = Data([0x78, 0x9c, 0x73, 0x29, 0xcd, 0x4b, 0x05, 0x00, 0x03, 0xb4, 0x01, 0x8d])

    #expect(throws: GzipError.damaged) { _ = try Gzip.decompress(packed, limit: 100) }
  }
}
