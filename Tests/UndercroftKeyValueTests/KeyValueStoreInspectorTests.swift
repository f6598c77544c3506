import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftKeyValue

@Suite struct KeyValueStoreInspectorTests {
  private static func values(_ store: any Inspectable) throws -> [String] {
    var values: [String] = []
    try store.forEachValue(withPrefix: "") { name, bytes in
      values.append("\(name) \(String(decoding: bytes, as: UTF8.self))")
      return true
    }
    return values.sorted()
  }

  @Test func `each call shows the batches and checkpoints since the last call`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let backend = try JournalledBackend(at: url)
      try backend.apply([.set("book/1", Data("Dune".utf8)), .set("book/2", Data("Emma".utf8))])
      let store = try StoreInspectorFactory.settings.open(url, .init())
      #expect(try Self.values(store) == ["book/1 Dune", "book/2 Emma"])

      try backend.apply([.remove("book/1")])
      #expect(try Self.values(store) == ["book/2 Emma"])

      try backend.checkpoint()
      try backend.apply([.set("book/3", Data("Ulysses".utf8))])
      #expect(try Self.values(store) == ["book/2 Emma", "book/3 Ulysses"])
      #expect(try store.bytes(of: "book/3") == Data("Ulysses".utf8))
    }
  }

  @Test func `entries are passed in the order of their names until the caller has enough`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let backend = try JournalledBackend(at: url)
      let names = ["loan/10", "loan/2", "book/1", "loan/1", "loan/"]
      try backend.apply(names.map { .set($0, Data($0.utf8)) })
      let store = try #require(
        try StoreInspectorFactory.settings.open(url, .init()) as? any OrderedStore)
      var found: [InspectionEntry] = []

      try store.forEachSortedEntry(withPrefix: "loan/") { entry in
        found.append(entry)
        return found.count < 3
      }

      #expect(
        found == [
          InspectionEntry(name: "loan/", byteCount: 5),
          InspectionEntry(name: "loan/1", byteCount: 6),
          InspectionEntry(name: "loan/10", byteCount: 7),
        ])
    }
  }

  @Test func `a snapshot without a journal is read again at each call`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let journal = url.appendingPathExtension("journal")
      let backend = try JournalledBackend(at: url)
      try backend.apply([.set("book/1", Data("Dune".utf8))])
      try backend.checkpoint()
      let store = try StoreInspectorFactory.settings.open(url, .init())
      #expect(try Self.values(store) == ["book/1 Dune"])

      try FileManager.default.removeItem(at: journal)
      #expect(try Self.values(store) == ["book/1 Dune"])

      try FileManager.default.removeItem(at: url)
      let error = #expect(throws: StorageError.self) { try store.bytes(of: "book/1") }
      #expect(error?.code == .unavailable)
    }
  }

  @Test func `a snapshot that is restored beside an unchanged journal is read again`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let backup = directory.appending(path: "backup")
      let backend = try JournalledBackend(at: url)
      try backend.apply([.set("book/1", Data("Dune".utf8))])
      try backend.checkpoint()
      try FileManager.default.copyItem(at: url, to: backup)
      try backend.apply([.set("book/1", Data("Emma".utf8))])
      try backend.checkpoint()
      let store = try StoreInspectorFactory.settings.open(url, .init())
      #expect(try Self.values(store) == ["book/1 Emma"])

      try Data(contentsOf: backup).write(to: url)

      #expect(try Self.values(store) == ["book/1 Dune"])
      withExtendedLifetime(backend) {}
    }
  }

  @Test func `a snapshot without a journal is read once for several values`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let format = CountedFormat()
      try Data("books".utf8).write(to: url)
      let store = try StoreInspectorFactory.journalled(format).open(url, .init())

      #expect(try store.bytes(of: "book/1") == Data("Dune".utf8))
      #expect(try store.bytes(of: "book/2") == Data("Emma".utf8))

      #expect(format.readCount == 1)
    }
  }

  @Test func `batches before damage that appears between two calls are shown`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let backend = try JournalledBackend(at: url)
      try backend.apply([.set("book/1", Data("Dune".utf8))])
      let store = try StoreInspectorFactory.settings.open(url, .init())
      #expect(try Self.values(store) == ["book/1 Dune"])

      let journal = try FileHandle(forWritingTo: url.appendingPathExtension("journal"))
      try journal.seekToEnd()
      try journal.write(contentsOf: Data(repeating: 0x5a, count: 100))
      try journal.close()

      #expect(try Self.values(store) == ["book/1 Dune"])
      #expect(try store.inspect().facts.contains { $0.text.contains("100") })
      #expect(try store.check().damage.count == 1)
    }
  }
}

/// A format whose files all contain two books, and which counts the calls of ``read(_:)``.
private final class CountedFormat: SnapshotFormat {
  private let count = Atomic<Int>(0)

  var readCount: Int { count.load(ordering: .relaxed) }
  var name: String { "counted" }
  var isForOtherTools: Bool { false }

  func recognises(_ start: [UInt8]) -> Bool { true }

  func read(_ path: String) throws(StorageError) -> [ExactString: Data]? {
    count.add(1, ordering: .relaxed)
    return ["book/1": Data("Dune".utf8), "book/2": Data("Emma".utf8)]
  }

  func write(_ values: [ExactString: Data], to path: String) throws(StorageError) {}
}
