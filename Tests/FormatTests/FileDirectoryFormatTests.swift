import Foundation
import SystemCallFaults
import TestSupport
import Testing
import Undercroft

/// Tests that pin the format in `Docs/Formats/FileDirectory.md`.
@Suite struct FileDirectoryFormatTests {
  private static let paths: [(name: String, path: String)] = [
    ("loan-1_b.txt", "loan-1_b.txt"), ("Emma", "%45mma"), (".hidden", "%2ehidden"),
    ("a/b c", "a%2fb%20c"), ("ü", "%c3%bc"),
    (
      String(repeating: "x", count: 255),
      String(repeating: "x", count: 200) + "%/" + String(repeating: "x", count: 55)
    ),
  ]

  /// Returns the paths of all files in a folder whose names do not begin with a dot, sorted.
  private static func files(in folder: URL) throws -> [String] {
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return try (paths ?? []).filter { path in
      let url = folder.appending(path: path)
      let isFolder = try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory ?? false
      return !isFolder && !path.hasPrefix(".undercroft-")
    }
    .sorted()
  }

  @Test(arguments: ["", ".plist"])
  func `the file backend writes the documented marker file and file names`(suffix: String) throws {
    try withTemporaryDirectory { folder in
      var storage = Storage()
      try storage.use(
        suffix.isEmpty ? .files(in: folder) : .propertyLists(in: folder), for: .document, as: .bytes
      )

      for (name, _) in Self.paths {
        try storage.save(Data(name.utf8), for: StorageKey<Data?>(name, kind: .document))
      }

      let marker = try String(
        contentsOf: folder.appending(path: ".undercroft-files"), encoding: .utf8)
      #expect(marker == "undercroft files 1\nsuffix \(suffix)\n")
      #expect(try Self.files(in: folder) == Self.paths.map { $0.path + suffix }.sorted())
      for (name, path) in Self.paths {
        let url = folder.appending(path: path + suffix)
        #expect(try Data(contentsOf: url) == Data(name.utf8))
      }
    }
  }

  @Test func `the file backend reads files with documented names as values`() throws {
    try withTemporaryDirectory { folder in
      try Data("undercroft files 1\nsuffix .plist\n".utf8)
        .write(to: folder.appending(path: ".undercroft-files"))
      for (name, path) in Self.paths {
        let url = folder.appending(path: path + ".plist")
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(name.utf8).write(to: url)
      }
      var storage = Storage()

      try storage.use(.propertyLists(in: folder), for: .document, as: .bytes)

      #expect(try storage.names(of: .document).sorted() == Self.paths.map(\.name).sorted())
      for (name, _) in Self.paths {
        let value = try storage.load(StorageKey<Data?>(name, kind: .document))
        #expect(value == Data(name.utf8))
      }
    }
  }

  @Test func `the lock file stores its counters at fixed offsets`() throws {
    try withTemporaryDirectory { folder in
      let lock = folder.appending(path: ".undercroft-lock")
      let store = try FileBackend(in: folder)
      #expect(try Data(contentsOf: lock) == Data(count: 32))

      try store.apply([.set("loan", Data("Dune".utf8))])
      try store.apply([.set("loan", Data("Solaris".utf8)), .set("reader", Data("Ada".utf8))])
      try store.apply([.remove("loan")])

      let counters = Data([3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0])
      #expect(try Data(contentsOf: lock) == Data(count: 8) + counters)
    }
  }

  @Test(.enabled(if: faults_are_available() != 0))
  func `a commit record is written with the documented lines`() throws {
    try withTemporaryDirectory { folder in
      let store = try FileBackend(in: folder)
      try store.apply([.set("reader", Data("Ada".utf8))])

      // The commit record cannot be removed, so it remains.
      faults_arm(Int32(FAULTS_UNLINK.rawValue), 1, 1_000, EIO)
      try store.apply([.set("loan", Data("Dune".utf8)), .remove("reader")])
      _ = faults_disarm()

      let record = try Data(contentsOf: folder.appending(path: ".undercroft-batch"))
      let lines = String(decoding: record, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
      let steps = lines.dropLast(2).joined(separator: "\n") + "\n"

      #expect(lines.count == 5)
      #expect(lines[0] == "undercroft batch 1")
      #expect(lines[1] == "remove reader")
      #expect(lines[2].wholeMatch(of: /set \.undercroft-[0-9a-f]+-[0-9a-f]+\.staged loan/) != nil)
      #expect(lines[3] == "sum \(Data(steps.utf8).castagnoli)")
      #expect(lines[4].isEmpty)
    }
  }

  @Test func `the file backend applies a commit record of the documented format`() throws {
    try withTemporaryDirectory { folder in
      try FileBackend(in: folder).apply([.set("reader", Data("Ada".utf8))])
      try Data("Dune".utf8).write(to: folder.appending(path: ".undercroft-5f3a.staged"))
      try Data(
        """
        undercroft batch 1
        set .undercroft-5f3a.staged loan
        remove reader
        sum 2137143058

        """.utf8
      ).write(to: folder.appending(path: ".undercroft-batch"))

      let store = try FileBackend(in: folder)

      #expect(try store.keys(withPrefix: "") == ["loan"])
      #expect(try store.read("loan") == Data("Dune".utf8))
    }
  }
}
