import Foundation
import Testing
import UndercroftPropertyList

@Suite struct DamagedFileTests {
  private static let limits = PropertyListLimits(depth: 32, nodeCount: 2000, textSize: 1 << 20)
  /// The ends of containers are not counted as nodes, and an archive is walked twice.
  private static let maximumEvents = 2 * 2 * 2001

  @Test(arguments: GoldenFile.allCases)
  func `every file with one flipped bit is walked within the limits`(file: GoldenFile) throws {
    let bytes = try file.data()
    // All bits of the large XML file would take too long in a debug build.
    let bits = file == .xmlArchive ? 1 : 8
    var readable = 0
    var maximum = 0

    for position in bytes.indices {
      for bit in 0..<bits {
        var damaged = bytes
        damaged[position] ^= 1 << (bits == 8 ? bit : position % 8)
        let count = Transcript.eventCount(damaged, limits: Self.limits)
        maximum = max(maximum, count)
        if count > 0 { readable += 1 }
      }
    }

    #expect(maximum <= Self.maximumEvents)
    // Most flips damage one value only.
    #expect(readable > bytes.count * bits / 5)
  }

  @Test(arguments: GoldenFile.allCases)
  func `every truncated file is walked or refused`(file: GoldenFile) throws {
    let bytes = try file.data()

    let maximum = bytes.indices.map {
      Transcript.eventCount(bytes.prefix($0), limits: Self.limits)
    }.max()

    #expect(try #require(maximum) <= Self.maximumEvents)
    #expect(throws: PropertyListError.self) { try PropertyListDocument(bytes.dropLast(33)) }
  }

  @Test(arguments: GoldenFile.allCases)
  func `a file with several random bytes is walked within the limits`(file: GoldenFile) throws {
    let bytes = try file.data()
    var state: UInt64 = 88_172_645_463_325_252
    func random(below bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(bound))
    }

    for _ in 0..<500 {
      var damaged = bytes
      for _ in 0..<1 + random(below: 8) {
        damaged[random(below: bytes.count)] = UInt8(random(below: 256))
      }
      #expect(Transcript.eventCount(damaged, limits: Self.limits) <= Self.maximumEvents)
    }
  }

  @Test func `a large number of damaged XML values is reported in a short time`() throws {
    let count = 20_000
    let text = "<plist><array>" + String(repeating: "<date/>", count: count) + "</array></plist>"
    let document = try PropertyListDocument(Data(text.utf8))

    var last: PropertyListError?
    for event in PropertyListTree(document) {
      if case .unreadable(let error) = event.kind { last = error }
    }

    // An error that searched the whole text for its line would read 1.4 GB.
    #expect(last?.location == .line(1, column: 15 + 7 * (count - 1)))
  }

  @Test func `many objects that share one huge list of keys are resolved in a short time`() throws {
    let width = 3
    let keyCount = 6_000
    let objectCount = 3000
    func text(_ string: String) -> [UInt8] { [0x50 | UInt8(string.utf8.count)] + string.utf8 }
    func references(_ numbers: [Int]) -> [UInt8] {
      numbers.flatMap { BinaryFile.bigEndian(UInt64($0), width: width) }
    }
    let huge =
      [0xdf, 0x12] + BinaryFile.bigEndian(UInt64(keyCount), width: 4)
      + references([Int](repeating: 8, count: 2 * keyCount))
    let uids = (0..<objectCount).map { [0x81] + BinaryFile.bigEndian(UInt64($0), width: 2) }
    let array = [0xaf, 0x11] + BinaryFile.bigEndian(UInt64(objectCount), width: 2)
    var file = BinaryFile(
      objects: [
        [0xd3] + references([1, 2, 3, 4, 5, 6]), text("$archiver"), text("$objects"), text("$top"),
        text("Archiver"), array + references([Int](repeating: 7, count: objectCount)),
        [0xd1] + references([8, 9]), huge, text("a"),
        array + references((0..<objectCount).map { 10 + $0 }),
      ] + uids)
    file.referenceWidth = width
    let archive = try KeyedArchive(try PropertyListDocument(file.data))

    let lines = Transcript.lines(
      PropertyListTree(archive, limits: PropertyListLimits(textSize: 1 << 20)))

    // Each object costs as much as a string of 64 KB.
    #expect(lines.contains { $0.contains("truncated: textSize") })
    #expect(lines.count < 2 * keyCount + 100)
  }
}
