import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFiles

/// Tests of property lists that other programs read and write.
@Suite struct PropertyListTests {
  private struct Search: Codable, Equatable {
    var title: String
    var shelves: [Int]
    var isSaved: Bool
  }

  private static let search = Search(title: "Köhler & <sons>", shelves: [3, 1, 2], isSaved: true)

  private func save(in directory: URL) throws -> (Storage, StorageKey<Search?>) {
    var storage = Storage()
    try storage.use(.propertyLists(in: directory), for: .document)
    let key = StorageKey<Search?>("Search/1", kind: .document)
    try storage.save(Self.search, for: key)
    return (storage, key)
  }

  @Test func `a property list file has the suffix .plist and contains an XML property list`() throws
  {
    try withTemporaryDirectory { directory in
      _ = try save(in: directory)
      let text = try String(
        contentsOf: directory.appending(path: "%53earch%2f1.plist"), encoding: .utf8)

      #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC"))
      #expect(text.contains("<plist version=\"1.0\">"))
      #expect(text.contains("<key>title</key>"))
      #expect(text.contains("<string>Köhler &amp; &lt;sons&gt;</string>"))
      #expect(text.contains("<true/>"))
    }
  }

  /// Python's property list parser shares no code with the codec.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func `another program can read and edit a saved property list, and the store loads the edit`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (storage, key) = try save(in: directory)
      let program = """
        import plistlib, sys
        with open(sys.argv[1], "rb") as file: search = plistlib.load(file)
        assert search == {"title": "Köhler & <sons>", "shelves": [3, 1, 2], "isSaved": True}, search
        search["shelves"].append(4)
        with open(sys.argv[1], "wb") as file: plistlib.dump(search, file)
        """

      let result = try Program(at: "/usr/bin/python3").run([
        "-X", "utf8", "-c", program, directory.appending(path: "%53earch%2f1.plist").path,
      ])

      #expect(result.status == 0, "\(result.errors)")
      var wanted = Self.search
      wanted.shelves.append(4)
      #expect(try storage.load(key) == wanted)
    }
  }
}
