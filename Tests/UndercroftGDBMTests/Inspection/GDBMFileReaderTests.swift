import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftGDBM
import UndercroftInspection
import UndercroftKeyValue
import UndercroftTesting

/// Tests of reading GDBM files that other programs wrote, write at the same time, or damaged.
@Suite struct GDBMFileReaderTests {
  @Test(arguments: 1...6)
  func `inspecting a random file shows the entries that gdbmtool stored`(seed: Int) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      let (commands, model) = Self.randomCommands(seed: UInt64(seed))
      try GDBMTool.write(commands, to: url, format: seed % 2 == 0 ? "numsync" : "standard")

      let store = try Self.open(url)

      #expect(try store.inspect().entryCount == GDBMTool.count(url))
      let entries = try store.entries(withPrefix: "")
      #expect(entries.map(\.name) == model.keys.sorted())
      #expect(entries.allSatisfy { $0.byteCount == model[$0.name]?.utf8.count })
      for (name, value) in model {
        #expect(try store.bytes(of: name) == Data(value.utf8), "\(name)")
      }
      #expect(try store.bytes(of: "absent") == nil)
      #expect(try store.check().damage.isEmpty)
    }
  }

  @Test func `inspecting a file that libgdbm wrote shows large and empty values`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "scans.gdbm")
      var values: [ExactString: Data] = ["empty": Data()]
      for size in [1, 4_095, 4_096, 70_000, 3_000_000] {
        values["scan/\(size)".exact] = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 * 7) })
      }
      try GDBMFormat().write(values, to: url.path)

      let store = try Self.open(url)

      #expect(try store.entries(withPrefix: "").count == values.count)
      for (name, value) in values { #expect(try store.bytes(of: name.text) == value) }
    }
  }

  @Test(
    arguments: [
      (0x1357_9acf, 8, false), (0x1357_9acd, 4, false), (0x1357_9acf, 8, true),
      (0x1357_9acd, 4, true), (0x1357_9ace, 4, true), (0x1357_9ace, 8, false),
    ] as [(UInt32, Int, Bool)])
  func `inspecting a file shows its entries in every byte order and size of file offsets`(
    magic: UInt32, offsetSize: Int, isBigEndian: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      let entries = (0..<20).map {
        (key: Array("loan/\($0)".utf8), value: Array("reader \($0)".utf8))
      }
      let image = GDBMImage(
        magic: magic, offsetSize: offsetSize, isBigEndian: isBigEndian, entries)
      try image.bytes.write(to: url)

      let store = try Self.open(url)

      #expect(try store.inspect().entryCount == 20)
      #expect(try store.entries(withPrefix: "loan/1").count == 11)
      #expect(try store.bytes(of: "loan/7") == Data("reader 7".utf8))
      // Confirms that the layout of this platform is the one that libgdbm expects.
      if offsetSize == 8, !isBigEndian { #expect(try GDBMTool.count(url) == 20) }
    }
  }

  @Test func `inspecting a file that another process writes shows one state or fails as busy`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      try GDBMTool.write(["store loan/0 x"], to: url)
      // After each step, the file contains consecutive numbers, at most 301 of them.
      let steps = (1..<60_000).flatMap { number in
        ["store loan/\(number) \(number)"]
          + (number >= 300 ? ["delete loan/\(number - 300)"] : [])
      }
      let script = directory.appending(path: "script")
      try Data((steps.joined(separator: "\n") + "\n").utf8).write(to: script)
      let running = try Program(at: "/bin/sh").start(
        ["-c", "gdbmtool \"$0\" < \"$1\"", url.path, script.path])
      var shown = 0

      while running.isRunning {
        do {
          let names = try Self.open(url).entries(withPrefix: "").map(\.name)
          let numbers = names.compactMap { Int($0.dropFirst(5)) }.sorted()
          let first = try #require(numbers.first)
          #expect(numbers == Array(first..<first + names.count))
          #expect(names.count <= 301)
          shown += 1
        } catch let error as StorageError {
          #expect(error.code == .busy, "\(error)")
        }
      }

      #expect(try running.result().status == 0)
      #expect(shown > 0)
      #expect(try Self.open(url).inspect().entryCount == 300)
    }
  }

  @Test func `damage names the entry whose key was overwritten`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      try GDBMTool.write((0..<50).map { "store loan/\($0) x" }, to: url)
      var bytes = try Data(contentsOf: url)
      let key = try #require(bytes.range(of: Data("loan/23x".utf8)))
      bytes[key.lowerBound + 5] = UInt8(ascii: "9")
      try bytes.write(to: url)
      let store = try Self.open(url)

      let sentences = try store.check().damage

      #expect(sentences.count == 1)
      #expect(sentences.first?.contains("byte \(key.lowerBound)") == true, "\(sentences)")
      #expect(throws: StorageError.self) { try store.entries(withPrefix: "") }
    }
  }

  @Test func `the entries whose keys are not damaged are passed before the error is thrown`() throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      try GDBMTool.write((0..<50).map { "store loan/\($0) x" }, to: url)
      var bytes = try Data(contentsOf: url)
      for name in ["loan/23x", "loan/31x"] {
        let key = try #require(bytes.range(of: Data(name.utf8)))
        bytes[key.lowerBound + 4] = UInt8(ascii: "!")
      }
      try bytes.write(to: url)
      let store = try Self.open(url)
      var names: Set<String> = []

      let error = #expect(throws: StorageError.self) {
        try store.forEachEntry(withPrefix: "") { names.insert($0.name).inserted }
      }

      #expect(error?.code == .corrupted)
      #expect(names.count == 48)
      #expect(!names.contains("loan/23") && !names.contains("loan/31"))
      #expect(try store.check().damage.count == 2)
    }
  }

  @Test(.heavy, .timeLimit(.hangLimit), arguments: 1...4)
  func `inspecting a mutated file returns entries or fails with the code corrupted`(seed: Int)
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans.gdbm")
      try GDBMTool.write(Self.randomCommands(seed: UInt64(seed)).commands, to: url)
      let sound = try Data(contentsOf: url)
      var random = SeededGenerator(seed: UInt64(seed))
      for round in 0..<250 {
        var bytes = sound
        for _ in 0...(round % 6) {
          // Half of the changes are in the header and in the directory.
          let limit = Bool.random(using: &random) ? 128 : bytes.count
          let position = Int.random(in: 0..<limit, using: &random)
          bytes[position] =
            Bool.random(using: &random)
            ? UInt8.random(in: 0...255, using: &random)
            : [0, 1, 127, 128, 255][Int.random(in: 0..<5, using: &random)]
        }
        if round % 7 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
        try bytes.write(to: url)
        do {
          let store = try Self.open(url)
          _ = try store.check()
          for entry in try store.entries(withPrefix: "").prefix(20) {
            _ = try store.bytes(of: entry.name)
          }
        } catch let error as StorageError {
          #expect(error.code == .corrupted, "\(error)")
        }
      }
    }
  }

  private static func open(_ url: URL) throws -> any Inspectable {
    try StoreInspectorFactory.gdbm.open(url, .init())
  }

  /// Returns random commands for `gdbmtool`, and the entries that result from them.
  private static func randomCommands(
    seed: UInt64
  ) -> (commands: [String], model: [String: String]) {
    var random = SeededGenerator(seed: seed)
    var (commands, model) = ([String](), [String: String]())
    for _ in 0..<2_500 {
      let number = Int.random(in: 0..<900, using: &random)
      let name = number % 9 == 0 ? "leser/žít-\(number)" : "loan/\(number)"
      if Int.random(in: 0..<3, using: &random) == 0 {
        if model.removeValue(forKey: name) != nil { commands.append("delete \(name)") }
      } else {
        let isLarge = Int.random(in: 0..<100, using: &random) == 0
        let count = Int.random(in: 1..<(isLarge ? 4_000 : 60), using: &random)
        model[name] = String(repeating: "v\(number % 10)", count: count)
        commands.append("store \(name) \(model[name] ?? "")")
      }
    }
    return (commands, model)
  }
}
