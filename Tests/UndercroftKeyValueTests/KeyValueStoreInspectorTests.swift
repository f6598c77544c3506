import Foundation
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
