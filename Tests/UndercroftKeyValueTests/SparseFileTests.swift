import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection
import UndercroftKeyValue

/// Tests of sparse files whose size exceeds the memory, and that contain only a few bytes.
@Suite struct SparseFileTests {
  /// A size that exceeds the memory of the machines that run the tests, and the maximum size of one
  /// read.
  private static let claimed = 64 << 30

  private static func journal(of url: URL) -> URL { URL(filePath: url.path + ".journal") }

  private static func make(in directory: URL) throws -> (url: URL, end: Int) {
    let url = directory.appending(path: "settings")
    try JournalledBackend(at: url).apply([.set("loan/1", Data("Dune".utf8))])
    return (url, try Data(contentsOf: journal(of: url)).count)
  }

  private static func append(_ bytes: [UInt8], at offset: Int, of url: URL) throws {
    let file = try Descriptor(opening: url.path, O_RDWR)
    try bytes.withUnsafeBytes { try file.write($0, at: offset) }
  }

  /// The header of a record whose length has a correct checksum.
  private static func header(count: UInt32) -> [UInt8] {
    let length = withUnsafeBytes(of: count.littleEndian) { Array($0) }
    let sum = withUnsafeBytes(of: Checksum.of(length).littleEndian) { Array($0) }
    return length + sum + [1, 2, 3, 4]
  }

  @Test func `opening a store removes 64 GiB of zeros at the journal's end and reports no damage`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (url, _) = try Self.make(in: directory)
      #expect(truncate(Self.journal(of: url).path, off_t(Self.claimed)) == 0)

      let store = try JournalledBackend(at: url)

      #expect(store.damage == nil)
      #expect(try store.keys(withPrefix: "") == ["loan/1"])
      #expect(try Data(contentsOf: Self.journal(of: url)).count < 100)
    }
  }

  @Test(arguments: [[UInt8](), header(count: 10), header(count: 64 << 20)])
  func `opening a store recovers the batches before a hole of 64 GiB in the journal`(
    header: [UInt8]
  ) throws {
    try withTemporaryDirectory { directory in
      let (url, end) = try Self.make(in: directory)
      try Self.append(header, at: end, of: Self.journal(of: url))
      try Self.append([1], at: Self.claimed - 1, of: Self.journal(of: url))

      let store = try JournalledBackend(at: url)

      #expect(store.damage?.offset == end)
      #expect(store.damage?.unrecoveredByteCount == Self.claimed - end)
      #expect(store.damage?.preservedPath != nil)
      #expect(try store.keys(withPrefix: "") == ["loan/1"])
    }
  }

  @Test func `opening a store throws if its snapshot has a hole of 64 GiB`() throws {
    try withTemporaryDirectory { directory in
      let (url, _) = try Self.make(in: directory)
      #expect(truncate(url.path, off_t(Self.claimed)) == 0)

      let error = #expect(throws: StorageError.self) { try JournalledBackend(at: url) }

      #expect(error?.code == .corrupted)
    }
  }

  @Test func `opening a store throws if the snapshot's header declares a billion entries`() throws {
    try withTemporaryDirectory { directory in
      let (url, _) = try Self.make(in: directory)
      var header = ByteWriter()
      header.put("UNDSNAP1")
      header.put(UInt64(1 << 30))
      // The checksum of an index of 8 GiB of zeros.
      header.put(UInt32(0x4867_4bc7))
      header.put(Checksum.of(header.bytes))
      try Data(header.bytes).write(to: url)
      #expect(truncate(url.path, off_t(Self.claimed)) == 0)

      let error = #expect(throws: StorageError.self) { try JournalledBackend(at: url) }

      #expect(error?.code == .corrupted)
    }
  }

  /// An in-memory folder, where a file may have any size that an integer can express.
  private static let memory = URL(filePath: "/dev/shm")

  private static let memoryHoldsAnySize: Bool = {
    let path = memory.appending(path: "undercroft-\(UUID().uuidString)").path
    guard let file = try? Descriptor(opening: path, O_RDWR | O_CREAT | O_EXCL) else { return false }
    defer { unlink(path) }
    return ftruncate(file.raw, .max - 4_096) == 0
  }()

  @Test(.enabled(if: memoryHoldsAnySize))
  func `a store whose file sizes are close to Int64.max can be opened and written`()
    throws
  {
    let directory = Self.memory.appending(path: "undercroft-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    let (url, end) = try Self.make(in: directory)
    let store = try JournalledBackend(at: url)

    // A journal of 9 MiB makes a checkpoint due, unless the snapshot is large.
    #expect(truncate(url.path, .max - 4_096) == 0)
    try store.apply([.set("scan", Data(repeating: 1, count: 9 << 20))])
    try store.checkpoint()
    try Self.append([1], at: .max - 4_096, of: Self.journal(of: url))
    let opened = try JournalledBackend(at: url)

    #expect(opened.damage?.offset == 8)
    #expect(end > 8)
    #expect(try opened.keys(withPrefix: "") == ["loan/1", "scan"])
  }

  @Test(.heavy) func `records and values larger than the read buffer are read completely`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      var values: [String: Data] = [:]
      var bytes = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      for _ in 0..<4 { bytes += bytes }
      do {
        let store = try JournalledBackend(at: url)
        for (number, count) in [100, (16 << 20) - 50, 7, (17 << 20) + 3, 5_000].enumerated() {
          let value = bytes.prefix(count) + Data([UInt8(number)])
          try store.apply([.set("scan/\(number)", value), .remove("none")])
          values["scan/\(number)"] = value
        }
        for (name, value) in values { #expect(try store.read(name) == value, "\(name)") }
      }
      for _ in 0..<2 {
        // First from the journal, then from the snapshot.
        let found = try StoreInspectorFactory.settings.open(url, .init())
        for (name, value) in values { #expect(try found.bytes(of: name) == value, "\(name)") }
        try JournalledBackend(at: url).checkpoint()
      }
    }
  }

  /// A record of changes that set values.
  private static func record(_ values: [(name: String, value: Data)]) -> Data {
    var body = ByteWriter()
    for (name, value) in values {
      body.put(UInt8(1))
      body.put(UInt32(name.utf8.count))
      body.put(name)
      body.put(UInt32(value.count))
      body.put(value)
    }
    let header = header(count: UInt32(body.bytes.count)).dropLast(4)
    let sum = withUnsafeBytes(of: Checksum.of(body.bytes).littleEndian) { Array($0) }
    return Data(header + sum + body.bytes)
  }

  /// The start of the second record, counted back from the end of the window.
  @Test(.heavy, arguments: [0, 1, 4, 11, 12, 13, 30])
  func `a record that begins near the end of the read buffer is read completely`(left: Int) throws {
    try withTemporaryDirectory { directory in
      let (url, _) = try Self.make(in: directory)
      let overhead = Self.record([("scan", Data())]).count
      let large = Data(repeating: 7, count: FileWindow.capacity - left - overhead)
      let first = Self.record([("scan", large)])
      #expect(first.count == FileWindow.capacity - left)
      let second = Self.record((1...3).map { ("loan/\($0)", Data(repeating: 1, count: 10)) })
      let journal = Data("UNDJRNL1".utf8) + first + second

      for cut in [0, 1, second.count - 1] {
        try journal.dropLast(cut).write(to: Self.journal(of: url))
        let found = try StoreInspectorFactory.settings.open(url, .init())
        #expect(try found.bytes(of: "scan") == large)
        let names = try found.entries(withPrefix: "loan/").map(\.name)
        #expect(names == (cut == 0 ? ["loan/1", "loan/2", "loan/3"] : []))
        #expect(try !found.inspect().facts.contains { $0.name == "damage" })
      }
    }
  }
}
