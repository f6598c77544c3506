import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem
import UndercroftFiles
import UndercroftInspection

/// Tests of the values that every instance must read from the folder after each step of a batch.
@Suite struct FileBatchTests {
  private static let old = ["author": "Le Guin", "gone": "x", "loan": "Dune"]
  private static let new = ["author": "Lem", "loan": "Solaris", "reader": "Ada"]

  private static let body = """
    undercroft batch 1
    set .undercroft-a.staged author
    set .undercroft-b.staged loan
    set .undercroft-c.staged reader
    remove gone

    """

  private static func record(_ body: String = body) -> Data {
    Data((body + "sum \(Checksum.of(Array(body.utf8)))\n").utf8)
  }

  private static func values(of store: some StorageBackend) throws -> [String: String] {
    var values: [String: String] = [:]
    for name in try store.keys(withPrefix: "") {
      values[name] = try store.read(name).map { String(decoding: $0, as: UTF8.self) }
    }
    return values
  }

  private static func inspected(_ directory: URL) throws -> [String: String] {
    let store = try StoreInspectorFactory.files.open(directory, .init())
    var values: [String: String] = [:]
    for entry in try store.entries(withPrefix: "") {
      values[entry.name] = try store.bytes(of: entry.name).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    return values
  }

  /// Creates the folder of a writer that died after `steps` of eight steps: three temporary files,
  /// the commit record, and four changes in place.
  private static func make(_ directory: URL, after steps: Int) throws {
    try FileBackend(in: directory).apply(old.map { .set($0.key, Data($0.value.utf8)) })
    for step in 0..<steps { try take(step, in: directory) }
  }

  private static func take(_ step: Int, in directory: URL) throws {
    let staged = [("a", "author", "Lem"), ("b", "loan", "Solaris"), ("c", "reader", "Ada")]
    let temporaries = staged.map { directory.appending(path: ".undercroft-\($0.0).staged") }
    switch step {
    case 0..<3: try Data(staged[step].2.utf8).write(to: temporaries[step])
    case 3: try record().write(to: directory.appending(path: ".undercroft-batch"))
    case 4..<7:
      let file = directory.appending(path: staged[step - 4].1)
      #expect(rename(temporaries[step - 4].path, file.path) == 0)
    default: try FileManager.default.removeItem(at: directory.appending(path: "gone"))
    }
  }

  @Test(arguments: 0...8)
  func `a store whose writer died during a batch contains either all old or all new values`(
    step: Int
  ) throws {
    try withTemporaryDirectory { directory in
      try Self.make(directory, after: step)
      let wanted = step < 4 ? Self.old : Self.new
      #expect(try Self.inspected(directory) == wanted)

      let store = try FileBackend(in: directory)
      #expect(try Self.values(of: store) == wanted)

      let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(!files.contains { $0.hasSuffix(".staged") || $0 == ".undercroft-batch" })
    }
  }

  @Test(arguments: [false, true])
  func `finishing the batch of a dead writer changes the external change count of an open instance`(
    isByOther: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      try Self.make(directory, after: 0)
      let witness = try FileBackend(in: directory)
      let before = witness.externalChangeCount()
      for step in 0..<4 { try Self.take(step, in: directory) }

      if isByOther {
        _ = try FileBackend(in: directory)
      } else {
        try witness.apply([.set("shelf", Data("4".utf8))])
      }

      // The count is read from the disk at most every 5 ms.
      usleep(50_000)
      #expect(witness.externalChangeCount() != before)
    }
  }

  @Test func `a store opened before a batch reads new values through the batch's commit record`()
    throws
  {
    try withTemporaryDirectory { directory in
      try Self.make(directory, after: 0)
      let witness = try FileBackend(in: directory)
      for step in 0..<8 {
        try Self.take(step, in: directory)
        let wanted = step < 3 ? Self.old : Self.new
        #expect(try Self.values(of: witness) == wanted)
        #expect(try Self.inspected(directory) == wanted)
        for (name, value) in Self.new where step >= 3 {
          let reader = try #require(try witness.reader(for: name))
          #expect(try reader.read(upTo: 100) == Data(value.utf8))
        }
      }

      #expect(try witness.inspect().facts == [.init("pending batch", "4 files")])

      // The next write of any instance finishes the batch first.
      try witness.apply([.set("reader", Data("Bo".utf8))])
      #expect(try witness.inspect().facts == [])
      #expect(try witness.read("reader") == Data("Bo".utf8))
    }
  }

  @Test(.heavy)
  func `opening a store with a truncated or bit-flipped commit record throws and loses no value`()
    throws
  {
    try withTemporaryDirectory { directory in
      try Self.make(directory, after: 4)
      let location = directory.appending(path: ".undercroft-batch")
      let sound = Self.record()
      for bytes in Damage.everyCutAndFlip(of: sound) {
        try bytes.write(to: location)
        let error = #expect(throws: StorageError.self) { try FileBackend(in: directory) }
        #expect(error?.code == .corrupted)
      }
      try sound.write(to: location)

      #expect(try Self.values(of: FileBackend(in: directory)) == Self.new)
    }
  }

  @Test(arguments: 0..<2)
  func
    `opening a store throws if a pending batch lacks a staged value and the key has no older value`(
      missing: Int
    ) throws
  {
    try withTemporaryDirectory { directory in
      try Self.make(directory, after: 4)
      let name = [".undercroft-c.staged", ".undercroft-a.staged"][missing]
      let staged = directory.appending(path: name)
      let witness = try Data(contentsOf: staged)
      try FileManager.default.removeItem(at: staged)
      // The value of "author" is in place, though an older one; "reader" has none.
      if missing == 0 {
        let error = #expect(throws: StorageError.self) { try FileBackend(in: directory) }
        #expect(error?.code == .corrupted)
        #expect(try Data(contentsOf: directory.appending(path: "gone")) == Data("x".utf8))
        try witness.write(to: staged)
      }
      let wanted = missing == 0 ? Self.new : Self.new.merging(["author": "Le Guin"]) { $1 }

      #expect(try Self.values(of: FileBackend(in: directory)) == wanted)
    }
  }

  @Test(arguments: [
    "set .undercroft-a.staged ../escaped\n", "remove ../victim\n", "remove /etc/passwd\n",
    "set ../victim author\n", "set author loan\n", "remove .undercroft-files\n", "swap a b\n",
  ])
  func
    `opening a store throws if the commit record has an invalid line or a path outside the store`(
      line: String
    ) throws
  {
    try withTemporaryDirectory { directory in
      let victim = directory.appending(path: "victim")
      try Data("keep me".utf8).write(to: victim)
      let store = directory.appending(path: "store")
      _ = try FileBackend(in: store)
      try Self.record("undercroft batch 1\n" + line)
        .write(to: store.appending(path: ".undercroft-batch"))

      #expect(throws: StorageError.self) { try FileBackend(in: store) }
      #expect(try Data(contentsOf: victim) == Data("keep me".utf8))
    }
  }

  @Test
  func `opening a single-file store in the folder of a file store leaves a pending batch intact`()
    throws
  {
    try withTemporaryDirectory { directory in
      try Self.make(directory, after: 5)
      _ = try SingleFileBackend(at: directory.appending(path: "archive"))

      #expect(
        try Self.values(of: FileBackend(in: directory)).filter { !$0.key.hasPrefix("archive") }
          == Self.new)
    }
  }

  @Test
  func `finishing a write stream whose temporary file was removed throws and stores no value`()
    throws
  {
    try withTemporaryDirectory { directory in
      let store = try FileBackend(in: directory)
      let writer = try store.writer(for: "film")
      try writer.write(Data("reel".utf8))
      for name in try FileManager.default.contentsOfDirectory(atPath: directory.path)

      where name.hasSuffix(".tmp") {
        try FileManager.default.removeItem(at: directory.appending(path: name))
      }
      #expect(throws: StorageError.self) { try writer.finish() }
      #expect(try store.read("film") == nil)
    }
  }

  @Test(.heavy) func `a batch with more files than a process can open is applied completely`()
    throws
  {
    try withTemporaryDirectory { directory in
      let store = try FileBackend(in: directory)
      try store.apply((0..<1_500).map { .set("loan/\($0)", Data("\($0)".utf8)) })

      #expect(try store.keys(withPrefix: "loan/").count == 1_500)
      #expect(try store.read("loan/1499") == Data("1499".utf8))
    }
  }

  @Test(arguments: [
    "undercroft files 2\nsuffix \n", "undercroft files 10\nformat b\nsuffix\nkeys\n",
    "undercroft files 2",
  ])
  func `opening a store whose marker file has a later version fails with the code notSupported`(
    text: String
  ) throws {
    try withTemporaryDirectory { directory in
      _ = try FileBackend(in: directory)
      try Data(text.utf8).write(to: directory.appending(path: ".undercroft-files"))

      let error = #expect(throws: StorageError.self) { try FileBackend(in: directory) }

      #expect(error?.code == .notSupported)
      #expect(
        error?.message.contains("supports only the format version 1") == true, "\(error as Any)")
      #expect(error?.suggestion == "use the version of Undercroft that wrote the store")
    }
  }

  @Test func `opening a store with a damaged marker file fails with the code corrupted`() throws {
    try withTemporaryDirectory { directory in
      _ = try FileBackend(in: directory)
      for text in [
        "", "undercroft files 1\nsuffix a/b\n", "x", "undercroft files 0\nsuffix \n",
        "undercroft files 2x\nsuffix \n", "undercroft files +2\nsuffix \n",
        "undercroft files 99999999999999999999\nsuffix \n", "undercroft files \nsuffix \n",
      ] {
        try Data(text.utf8).write(to: directory.appending(path: ".undercroft-files"))
        let error = #expect(throws: StorageError.self) { try FileBackend(in: directory) }
        #expect(error?.code == .corrupted)
      }
    }
  }
}
