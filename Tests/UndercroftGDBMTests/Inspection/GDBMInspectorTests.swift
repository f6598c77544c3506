import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftGDBM
import UndercroftInspection
import UndercroftKeyValue

/// Tests of the entries, values and keys that the inspector of GDBM files shows.
@Suite struct GDBMInspectorTests {
  @Test func `forEachEntry passes each entry once, and stops when the closure returns false`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      try GDBMTool.write((0..<12_000).map { "store loan/\($0) \($0)" }, to: url)
      let store = try Self.open(url)
      var (names, count) = (Set<String>(), 0)

      try store.forEachEntry(withPrefix: "") { names.insert($0.name).inserted }
      try store.forEachEntry(withPrefix: "loan/1") { _ in
        count += 1
        return count < 5
      }

      #expect(names.count == 12_000)
      #expect(count == 5)
    }
  }

  @Test func `names of any length are listed with the sizes of their values`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      // Names of which many, one or only a part are in one block of the file.
      let names = (0..<300).map { String(repeating: "n", count: 1 + $0 * $0 % 9_001) + "-\($0)" }
      try GDBMTool.write(names.map { "store \($0) \($0.count)" }, to: url)

      let entries = try Self.open(url).entries(withPrefix: "")

      #expect(entries.map(\.name) == names.sorted(byBytesOf: \.self))
      #expect(entries.allSatisfy { $0.byteCount == $0.name.count.description.count })
    }
  }

  @Test func `forEachValue passes the value of each entry, also of a name that spells another`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      try Self.writeKeysThatAreNotText(to: url)
      let store = try Self.open(url)
      var values: [String] = []

      try store.forEachValue(withPrefix: "") { name, bytes in
        values.append("\(name) \(String(decoding: bytes, as: UTF8.self))")
        return true
      }

      #expect(values.sorted() == ["x'6c6f616efe' noon", "x'ff0178' dark", "x'ff0178' light"])
    }
  }

  @Test func `forEachValue passes values that another process changes or removes during the call`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      try GDBMTool.write((0..<500).map { "store loan/\($0) old-\($0)" }, to: url)
      let store = try Self.open(url)
      var values: [String: String] = [:]
      var first: String?

      try store.forEachValue(withPrefix: "") { name, bytes in
        values[name] = String(decoding: bytes, as: UTF8.self)
        if first == nil {
          first = name
          let changes = (0..<500).map { number in
            let name = "loan/\(number)"
            return number % 3 == 0
              ? "delete \(name)" : "store \(name) \(number % 3 == 1 ? "new" : "longer")-\(number)"
          }
          try GDBMTool.write(changes, to: url, isNew: false)
        }
        return true
      }

      let changedLater = try #require(first)
      values[changedLater] = nil
      for (name, value) in values {
        let number = try #require(Int(name.dropFirst(5)))
        #expect(value == "\(number % 3 == 1 ? "new" : "longer")-\(number)")
      }
      #expect(values.count >= 332)
    }
  }

  @Test func `forEachValue passes the changes of a journal, and stops when the closure says so`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      let backend = try JournalledBackend(at: url, format: GDBMFormat())
      try backend.apply([.set("a", Data("1".utf8)), .set("b", Data("2".utf8))])
      try backend.checkpoint()
      try backend.apply([.set("c", Data("3".utf8)), .remove("a"), .set("b", Data("22".utf8))])
      let store = try Self.open(url)
      var (values, count) = ([String: Data](), 0)

      try store.forEachValue(withPrefix: "") { name, bytes in
        values[name] = bytes
        return true
      }
      try store.forEachValue(withPrefix: "") { _, _ in
        count += 1
        return false
      }

      #expect(values == ["b": Data("22".utf8), "c": Data("3".utf8)])
      #expect(count == 1)
      withExtendedLifetime(backend) {}
    }
  }

  @Test func `inspecting a store shows the snapshot with the changes of its journal`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      let backend = try JournalledBackend(at: url, format: GDBMFormat())
      try backend.apply([.set("a", Data("1".utf8)), .set("b", Data("2".utf8))])
      try backend.checkpoint()
      let store = try Self.open(url)
      try backend.apply([.set("c", Data("3".utf8)), .remove("a"), .set("b", Data("22".utf8))])

      #expect(
        try store.entries(withPrefix: "")
          == [.init(name: "b", byteCount: 2), .init(name: "c", byteCount: 1)])
      #expect(try store.inspect().entryCount == 2)
      #expect(try store.bytes(of: "a") == nil)
      #expect(try store.bytes(of: "b") == Data("22".utf8))
    }
  }

  @Test func `a key that is not valid UTF-8 is listed as a blob literal that get accepts`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      _ = try Program(at: "/bin/sh").runInShell(
        #"printf 'store \377\001x dark\nstore theme light\n' | gdbmtool -n "$1""#, url.path)

      let store = try Self.open(url)

      #expect(try store.entries(withPrefix: "").map(\.name) == ["theme", "x'ff0178'"])
      #expect(try store.bytes(of: "x'ff0178'") == Data("dark".utf8))
      #expect(try store.bytes(of: "x'00'") == nil)
    }
  }

  @Test func `a key that is not text and the text that spells it are different entries`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      try Self.writeKeysThatAreNotText(to: url)

      let store = try #require(try Self.open(url) as? any ByteNamedStore)

      #expect(try store.bytes(ofName: Data([0xff, 0x01, 0x78])) == Data("dark".utf8))
      #expect(try store.bytes(ofName: Data("x'ff0178'".utf8)) == Data("light".utf8))
      #expect(try store.bytes(ofName: Data("loan".utf8)) == nil)
      let named = try store.entries(withPrefix: "").compactMap(\.nameBytes)
      #expect(named == [Data("loan".utf8) + Data([0xfe]), Data([0xff, 0x01, 0x78])])
    }
  }

  @Test func `a prefix is compared with the bytes and with the spelling of a key`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      try Self.writeKeysThatAreNotText(to: url)

      let store = try Self.open(url)

      #expect(try store.entries(withPrefix: "loa").map(\.name) == ["x'6c6f616efe'"])
      #expect(try store.entries(withPrefix: "x'6c").map(\.name) == ["x'6c6f616efe'"])
      #expect(try store.entries(withPrefix: "loans").isEmpty)
    }
  }

  /// Writes a file with two keys that are not text, and the text that spells one of them.
  private static func writeKeysThatAreNotText(to url: URL) throws {
    let script = url.appendingPathExtension("script")
    var commands = Data("store ".utf8) + Data([0xff, 0x01]) + Data("x dark\n".utf8)
    commands += Data("store loan".utf8) + Data([0xfe]) + Data(" noon\n".utf8)
    commands += Data("store \"x'ff0178'\" light\n".utf8)
    try commands.write(to: script)
    let result = try Program(at: "/bin/sh").runInShell(
      #"gdbmtool -n "$1" < "$2""#, url.path, script.path)
    try #require(result.status == 0, "\(result.errors)")
  }

  private static func open(_ url: URL) throws -> any Inspectable {
    try StoreInspectorFactory.gdbm.open(url, .init())
  }
}
