import AllocatedMemory
import Foundation
import NetworkTestSupport
import Testing

@Suite struct MemoryRecordTests {
  private static let mebibyte = 1 << 20

  /// Returns a record of memory that changes once, with the given numbers of seconds before and
  /// after the change, and may grow by a tenth and by 16 MiB.
  private static func record(
    _ first: (seconds: Int, size: Int), _ last: (seconds: Int, size: Int)
  ) -> MemoryRecord {
    var record = MemoryRecord("memory", growth: 0.1, tolerance: 16 * mebibyte)
    for _ in 0..<first.seconds { record.add(first.size * mebibyte) }
    for _ in 0..<last.seconds { record.add(last.size * mebibyte) }
    return record
  }

  @Test func `memory that exceeds both limits after the first third has grown`() {
    let record = Self.record((150, 200), (150, 230))

    #expect(record.trouble == "the memory grew from 200 MiB to 230 MiB")
  }

  @Test(arguments: [
    // The numbers of the first and the last samples, in seconds and MiB.
    (100, 200, 200, 200), (150, 200, 150, 219), (150, 100, 150, 115), (150, 200, 150, 100),
    (40, 10, 260, 300),
  ])
  func `memory within one limit, or that grows only in the first third, is flat`(
    seconds: Int, size: Int, laterSeconds: Int, laterSize: Int
  ) {
    let record = Self.record((seconds, size), (laterSeconds, laterSize))

    #expect(record.trouble == nil)
    #expect(
      record.summary
        == "memory: \(seconds < 100 ? laterSize : size) MiB after the first third, "
        + "\(laterSize) MiB at the end")
  }

  @Test func `the memory of less than five minutes is not checked`() {
    let record = Self.record((150, 100), (149, 900))

    #expect(record.trouble == nil)
    #expect(record.summary.hasSuffix(", not checked after less than five minutes"))
  }

  @Test func `memory that was not measured is reported`() {
    let record = Self.record((150, 0), (150, 0))

    #expect(record.trouble == "the memory was not measured")
  }

  // The allocator requests the large block from the system, and the small ones from its arenas.
  @Test(
    .serialized, .enabled(if: allocated_bytes() > 0, "the C library does not count bytes"),
    arguments: [(1, 512 << 20), (8_192, 64 << 10)])
  func `allocated memory contains blocks until they are freed`(count: Int, size: Int) {
    let before = allocated_bytes()
    let blocks = (0..<count).map { _ in malloc(size) }
    let during = allocated_bytes()
    for block in blocks { free(block) }
    let after = allocated_bytes()

    // Other tests allocate less than this at the same time.
    #expect(during > before + 256 * Self.mebibyte)
    #expect(after < during - 256 * Self.mebibyte)
  }
}
