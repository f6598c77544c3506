import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem
import UndercroftKeyValue

@Suite struct SortedSnapshotTests {
  /// Returns a snapshot with correct checksums whose entries begin at `offsets` of `entries`.
  private static func snapshot(_ entries: [UInt8], at offsets: [Int]) -> Data {
    var index = ByteWriter()
    let start = 24 + offsets.count * 8
    for offset in offsets { index.put(UInt64(start + offset)) }
    var header = ByteWriter()
    header.put(Data("UNDSNAP1".utf8))
    header.put(UInt64(offsets.count))
    header.put(Checksum.of(index.bytes))
    header.put(Checksum.of(header.bytes))
    return Data(header.bytes + index.bytes + entries)
  }

  private static func entry(_ name: [UInt8], _ value: [UInt8]) -> [UInt8] {
    var lengths = ByteWriter()
    lengths.put(UInt32(name.count))
    lengths.put(UInt32(value.count))
    var entry = ByteWriter()
    entry.put(Data(lengths.bytes))
    entry.put(Checksum.of(lengths.bytes + name + value))
    entry.put(Data(name + value))
    return entry.bytes
  }

  private static func open(_ bytes: Data, in directory: URL) throws -> [String] {
    let url = directory.appending(path: UUID().uuidString)
    try bytes.write(to: url)
    return try JournalledBackend(at: url).keys(withPrefix: "")
  }

  @Test func `a snapshot whose entries are contiguous can be opened`() throws {
    try withTemporaryDirectory { directory in
      let first = Self.entry(Array("a".utf8), [1, 2, 3])
      let second = Self.entry(Array("b".utf8), [])
      let bytes = Self.snapshot(first + second, at: [0, first.count])
      let names = try Self.open(bytes, in: directory)
      let none = try Self.open(Self.snapshot([], at: []), in: directory)

      #expect(names == ["a", "b"])
      #expect(none == [])
    }
  }

  @Test
  func `opening a store throws if the names in its snapshot are not in ascending order`() throws {
    try withTemporaryDirectory { directory in
      for names in [["b", "a"], ["a", "a"], ["a", "c", "b"], ["a", ""], ["é", "z"]] {
        let entries = names.map { Self.entry(Array($0.utf8), [1, 2]) }
        let offsets = entries.indices.map { entries[..<$0].reduce(0) { $0 + $1.count } }
        let bytes = Self.snapshot(entries.flatMap(\.self), at: offsets)

        let error = #expect(throws: StorageError.self, "\(names)") {
          try Self.open(bytes, in: directory)
        }

        #expect(error?.code == .corrupted, "\(names)")
      }
    }
  }

  @Test
  func `a snapshot whose names are in the order of their Unicode NFC forms can be opened`() throws {
    try withTemporaryDirectory { directory in
      // An earlier version wrote names that are not in normal form C in this order.
      let names = ["z", "e\u{301}"]
      let entries = names.map { Self.entry(Array($0.utf8), [1, 2]) }
      let bytes = Self.snapshot(entries.flatMap(\.self), at: [0, entries[0].count])

      let found = try Self.open(bytes, in: directory)

      #expect(found.map { Array($0.utf8) } == names.reversed().map { Array($0.utf8) })
    }
  }

  @Test
  func `opening throws if a snapshot's entries overlap, have gaps or do not end at the file's end`()
    throws
  {
    try withTemporaryDirectory { directory in
      let first = Self.entry(Array("a".utf8), [1, 2, 3])
      let second = Self.entry(Array("b".utf8), [])
      // An entry inside the value of another entry: bytes of the file would be read repeatedly.
      let inner = Self.entry(Array("b".utf8), [])
      let outer = Self.entry(Array("a".utf8), inner)
      for bytes in [
        Self.snapshot(outer, at: [0, outer.count - inner.count]),
        Self.snapshot(first + [0] + second, at: [0, first.count + 1]),
        Self.snapshot([0] + first + second, at: [1, first.count + 1]),
        Self.snapshot(first + second + [0], at: [0, first.count]),
        Self.snapshot(second + first, at: [second.count, 0]),
      ] {
        let error = #expect(throws: StorageError.self) { try Self.open(bytes, in: directory) }
        try #require(error?.code == .corrupted)
      }
    }
  }
}
