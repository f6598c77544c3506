import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftKeyValue

/// Tests of files of earlier versions, which are stored in `Fixtures`.
@Suite struct StoredFixtureTests {
  @Test func `a store of format version 1 can be opened and written`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures")
      for suffix in ["", ".journal"] {
        try FileManager.default.copyItem(
          at: fixtures.appending(path: "settings-1" + suffix), to: URL(filePath: url.path + suffix))
      }

      let store = try JournalledBackend(at: url)
      #expect(
        try store.keys(withPrefix: "") == ["author/1", "author/2", "loan/1", "loan/2", "ü/reader"])
      #expect(try store.read("author/1") == Data("Ursula K. Le Guin".utf8))
      #expect(try store.read("author/2") == Data())
      #expect(try store.read("loan/2") == Data(count: 5))
      #expect(try store.read("ü/reader") == Data(repeating: 7, count: 700))

      try store.apply([.set("loan/3", Data("Emma".utf8)), .remove("author/2")])
      try store.checkpoint()
      let names = try JournalledBackend(at: url).keys(withPrefix: "")
      #expect(names == ["author/1", "loan/1", "loan/2", "loan/3", "ü/reader"])
    }
  }
}
