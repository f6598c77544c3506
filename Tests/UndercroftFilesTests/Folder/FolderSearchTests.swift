import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFiles
import UndercroftInspection

/// Tests of the search for a text in the files of a folder.
@Suite struct FolderSearchTests {
  private static let values: [(name: String, bytes: Data)] = [
    ("loan/1", Data("Emma at noon".utf8)), ("loan/2", Data("Dune at dawn".utf8)),
    ("loan/3", Data([0x1f, 0x8b, 0x08, 0x00])),
    ("reader/1", Data(count: 200_000) + Data("at noon".utf8)), ("reader/2", Data()),
  ]

  /// Returns the names that the search passes, with the bytes of the values that it finds.
  private func found(
    _ filter: ValueFilter, prefix: String = "", in directory: URL
  ) throws -> [(name: String, bytes: Data?)] {
    let backend = try BackendChoice.files(in: directory).open()
    for value in Self.values { try backend.apply([.set(value.name, value.bytes)]) }
    let store = try #require(
      try StoreInspectorFactory.files.open(directory, .init()) as? any SearchableStore)
    var found: [(name: String, bytes: Data?)] = []
    try store.forEachName(withPrefix: prefix, matching: filter) { name, bytes in
      found.append((name: name, bytes: bytes))
      return true
    }
    return found
  }

  @Test(arguments: [true, false])
  func `all names are passed in their order, and only the bytes of the values that are needed`(
    includesGzipData: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let filter = ValueFilter(BytePattern("at noon"), includesGzipData: includesGzipData)

      let found = try found(filter, in: directory)

      #expect(found.map(\.name) == Self.values.map(\.name))
      let needed = found.filter { $0.bytes != nil }
      #expect(
        needed.map(\.name)
          == (includesGzipData ? ["loan/1", "loan/3", "reader/1"] : ["loan/1", "reader/1"]))
      for value in needed {
        #expect(value.bytes == Self.values.first { $0.name == value.name }?.bytes)
      }
    }
  }

  @Test func `only names with the prefix are passed`() throws {
    try withTemporaryDirectory { directory in
      let filter = ValueFilter(BytePattern("AT NOON", ignoresCase: true))

      let found = try found(filter, prefix: "reader/", in: directory)

      #expect(found.map(\.name) == ["reader/1", "reader/2"])
      #expect(found.map { $0.bytes != nil } == [true, false])
    }
  }

  @Test func `a file that is too large to be read is reported, and not searched`() throws {
    try withTemporaryDirectory { directory in
      let backend = try BackendChoice.files(in: directory).open()
      try backend.apply([.set("book", Data("Emma".utf8))])
      // A sparse file, which would take seconds to search.
      try #require(truncate(directory.appending(path: "book").path, 20 << 30) == 0)
      let store = try #require(
        try StoreInspectorFactory.files.open(directory, .init()) as? any SearchableStore)

      let error = #expect(throws: StorageError.self) {
        try store.forEachName(withPrefix: "", matching: ValueFilter(BytePattern("Emma"))) { _, _ in
          true
        }
      }

      #expect(error?.code == .tooLarge)
      withExtendedLifetime(backend) {}
    }
  }
}
