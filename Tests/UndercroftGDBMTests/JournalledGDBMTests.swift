import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftGDBM
import UndercroftInspection
import UndercroftKeyValue
import UndercroftTesting

@Suite struct JournalledGDBMTests {
  private static func open(_ url: URL) throws(StorageError) -> JournalledBackend {
    try JournalledBackend(at: url, format: GDBMFormat())
  }

  @Test(arguments: BackendConformance.checks)
  func `the journalled backend over GDBM conforms to the backend contract`(
    to check: BackendConformance.Check
  ) async throws {
    let harness = Harness(inspector: .gdbm) { try Self.open($0.appending(path: "prefs.gdbm")) }
    try await check.run(against: harness)
  }

  @Test(.heavy, arguments: StorageModelCheck.Shape.allCases)
  func `random calls on a GDBM store return the same results as on a dictionary`(
    _ shape: StorageModelCheck.Shape
  ) throws {
    try StorageModelCheck(seed: 2_026).run(as: shape) { .gdbm(at: $0.appending(path: "prefs")) }
  }

  @Test func `gdbmtool can read a store after the store was closed`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "prefs.gdbm")
      try Self.open(url).apply([
        .set("theme", Data("dark".utf8)), .set("font", Data("serif".utf8)), .set("gone", Data()),
      ])
      try Self.open(url).apply([.remove("gone")])

      #expect(try gdbmtool(url, "count").contains("2 items"))
      #expect(try gdbmtool(url, "fetch theme").contains("dark"))
      #expect(try gdbmtool(url, "fetch font").contains("serif"))
    }
  }

  @Test func `a file written by gdbmtool can be opened`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "prefs.gdbm")
      _ = try gdbmtool(url, "store theme dark", "store font serif", writing: true)
      let store = try Self.open(url)

      #expect(try store.keys(withPrefix: "") == ["font", "theme"])
      #expect(try store.read("theme") == Data("dark".utf8))
      #expect(StoreInspectorFactory.gdbm.recognises(url))
    }
  }

  @Test func `writing a value above GDBM's size limit throws and adds nothing to the journal`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "prefs.gdbm")
      let store = try JournalledBackend(at: url, format: GDBMFormat(maximumValueSize: 100))
      try store.apply([.set("cover", Data(count: 100))])
      let journal = try Data(contentsOf: URL(filePath: url.path + ".journal"))

      let error = #expect(throws: StorageError.self) {
        try store.apply([.set("theme", Data("dark".utf8)), .set("scan", Data(count: 101))])
      }

      #expect(error?.code == .tooLarge)
      #expect(error?.key == "scan")
      #expect(error?.backend == "gdbm")
      #expect(error?.message.contains("format for one value is 100 bytes") == true)
      #expect(try Data(contentsOf: URL(filePath: url.path + ".journal")) == journal)
      #expect(try store.keys(withPrefix: "") == ["cover"])
      try store.checkpoint()
    }
  }

  @Test
  func `the maximum value size of GDBMFormat is 2,130,706,432 bytes, below GDBM's 32-bit limit`()
    throws
  {
    let limit = try #require(GDBMFormat().maximumValueSize)

    #expect(limit == 2_130_706_432)
    // GDBM stores the size of a key and its value, in whole blocks, in 32 bits.
    #expect(limit + 255 + 8 << 20 < Int32.max)
  }

  @Test(
    arguments: [
      // The magic number in the other byte order, and the one for file offsets of 32 bits.
      ([0x13, 0x57, 0x9a, 0xcf], "byte order"), ([0xcd, 0x9a, 0x57, 0x13], "file offsets"),
    ] as [([UInt8], String)])
  func `opening a GDBM file of another platform throws notSupported and suggests gdbm_dump`(
    magic: [UInt8], reason: String
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "prefs.gdbm")
      _ = try gdbmtool(url, "store theme dark", writing: true)
      var bytes = try Data(contentsOf: url)
      bytes.replaceSubrange(0..<4, with: magic)
      try bytes.write(to: url)

      let error = #expect(throws: StorageError.self) { try Self.open(url) }

      #expect(error?.code == .notSupported)
      #expect(error?.message.contains(reason) == true, "\(error as Any)")
      #expect(error?.suggestion?.contains("gdbm_dump") == true)
      #expect(error?.suggestion?.contains("backup") == false)
      #expect(try Data(contentsOf: url) == bytes)
    }
  }

  @Test func `a GDBM file in the extended format can be recognized and opened`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "prefs.gdbm")
      let result = try Program(at: "/usr/bin/env").run(
        ["gdbmtool", "-n"],
        input: "set format=\"numsync\"\nopen \(url.path)\nstore theme dark\n")
      try #require(result.status == 0, "\(result.output)\(result.errors)")

      #expect(StoreInspectorFactory.gdbm.recognises(url))
      #expect(try Self.open(url).read("theme") == Data("dark".utf8))
    }
  }

  @Test func `reading a GDBM file succeeds while the file is replaced by a larger file`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory.path + "/prefs.gdbm"
      let sizes = [10, 100_000]
      for size in sizes {
        try GDBMFormat().write(
          ["scan".exact: Data(repeating: 7, count: size)], to: path + ".\(size)")
      }
      let replace = { @Sendable (size: Int) in
        _ = link(path + ".\(size)", path + ".new")
        _ = rename(path + ".new", path)
      }
      replace(sizes[0])

      let isOver = Mutex(false)
      let replacing = Thread {
        var count = 0
        while !isOver.withLock({ $0 }) {
          count += 1
          replace(sizes[count % 2])
        }
      }
      replacing.start()
      defer { isOver.withLock { $0 = true } }
      for _ in 0..<500 {
        let found = try GDBMFormat().read(path)?["scan".exact]?.count
        #expect(found.map { sizes.contains($0) } == true)
      }
    }
  }

  @Test func `a GDBM file with two canonically equivalent keys can be opened`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "prefs.gdbm")
      // "é" as one scalar and as two: equal as `String`, different in GDBM.
      let names = ["caf\u{e9}", "cafe\u{301}"]
      _ = try gdbmtool(url, "store \(names[0]) one", "store \(names[1]) two", writing: true)

      let store = try Self.open(url)

      #expect(try store.read(names[0]) == Data("one".utf8))
      #expect(try store.read(names[1]) == Data("two".utf8))
      #expect(
        try store.keys(withPrefix: "").map { Array($0.utf8) }
          == [Array(names[1].utf8), Array(names[0].utf8)])
    }
  }

  @Test func `opening a file that is not a GDBM database throws and leaves the file unchanged`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "prefs.gdbm")
      for bytes in [Data("a shopping list".utf8), Data(count: 8192), Data()] {
        try bytes.write(to: url)
        let error = #expect(throws: StorageError.self) { try Self.open(url) }
        #expect(error?.code == .corrupted)
        #expect(error?.backend == "gdbm")
        #expect(try Data(contentsOf: url) == bytes)
        #expect(!FileManager.default.fileExists(atPath: url.path + ".journal"))
      }
    }
  }

  @Test(.heavy, .timeLimit(.hangLimit))
  func
    `reading a damaged GDBM file returns entries or fails with the code corrupted or notSupported`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "prefs.gdbm")
      try Self.open(url).apply((0..<300).map { .set("loan/\($0)", Data(count: $0)) })
      let sound = try Data(contentsOf: url)
      var random = SeededGenerator(seed: 5)
      var failures = 0
      for round in 0..<1_000 {
        var bytes = sound
        for _ in 0..<(round % 8) {
          // Half of the changed bytes are in the header and the directory.
          let limit = Bool.random(using: &random) ? min(512, bytes.count) : bytes.count
          bytes[Int.random(in: 0..<limit, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        if round % 5 == 0 { bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)) }
        try bytes.write(to: url)
        do {
          let entries = try StoreInspectorFactory.gdbm.open(url, .init()).entries(withPrefix: "")
          #expect(entries.count <= 300)
        } catch let error as StorageError {
          #expect([.corrupted, .notSupported].contains(error.code), "\(error)")
          failures += 1
        }
      }

      #expect(failures > 200)
    }
  }

  /// Overlapping entries would need more memory than the size of the file.
  @Test func `opening a GDBM file throws if its entries declare more bytes than the file contains`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "prefs.gdbm")
      try Self.open(url).apply((100..<120).map { .set("loan/\($0)", Data(count: 1_000)) })
      var bytes = try Data(contentsOf: url)
      // A bucket element ends with its key's offset, the key's size and the value's size.
      let sizes = Self.bytes(Int32(8)) + Self.bytes(Int32(1_000))
      var found = bytes.startIndex
      while let range = bytes.range(of: sizes, in: found..<bytes.endIndex) {
        let pointer = bytes[range.lowerBound - 8..<range.lowerBound].reversed()
          .reduce(0) { $0 << 8 | Int($1) }
        let claimed = Self.bytes(Int32(bytes.count - pointer - 8))
        bytes.replaceSubrange(range.lowerBound + 4..<range.upperBound, with: claimed)
        found = range.upperBound
      }
      try bytes.write(to: url)

      let error = #expect(throws: StorageError.self) { try Self.open(url) }

      #expect(error?.code == .corrupted)
      #expect(error?.message.contains("declare") == true, "\(error?.message ?? "")")
    }
  }

  private static func bytes(_ number: Int32) -> Data {
    withUnsafeBytes(of: number.littleEndian) { Data($0) }
  }

  private func gdbmtool(_ url: URL, _ commands: String..., writing: Bool = false) throws -> String {
    let result = try Program(at: "/usr/bin/env").run(
      ["gdbmtool", writing ? "-n" : "-r", url.path],
      input: commands.joined(separator: "\n") + "\n")
    try #require(result.status == 0, "\(result.output)\(result.errors)")
    return result.output
  }
}
