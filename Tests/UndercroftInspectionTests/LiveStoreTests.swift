import Foundation
import Synchronization
import TestSupport
import Testing
import Undercroft
import UndercroftGDBM

/// Tests of inspecting stores while applications write to them, and after a writer was killed.
@Suite struct LiveStoreTests {
  private static func storage(_ home: URL) throws -> Storage {
    var storage = try Storage(home: home)
    try storage.use(.gdbm(at: home.appending(path: "old settings.gdbm")), for: Self.old)
    return storage
  }

  private static let old = DataKind("old", requiredCapabilities: .atomicBatches)
  private static let keyed: [DataKind] = [
    .preference, old, .secret, .document, .archive, .cache, .blob,
  ]

  private static func write(_ number: Int, into storage: Storage) throws {
    for kind in keyed {
      let codec: (any Codec)? = kind == .blob ? .json : nil
      try storage.save(number, for: StorageKey("number", kind: kind, default: 0, as: codec))
    }
    try storage.database(for: .record).write { db in
      try db.execute("CREATE TABLE IF NOT EXISTS book(number INTEGER)")
      try db.execute("INSERT INTO book VALUES (\(number))")
    }
  }

  private static let key = "keys/vault.key"

  /// Runs the commands that list named values and tables.
  private static func lists(_ home: URL) throws -> [ProgramResult] {
    try ["keys", "rows"].map { command in
      try run(command, home.path, "--no-header", "--key-file", home.appending(path: key).path)
    }
  }

  private static let expected = (keyed.map { "\($0.name) number" } + ["record book"]).sorted()

  private static func names(_ answers: [ProgramResult]) -> [String] {
    answers.flatMap { $0.output.split(separator: "\n") }
      .map { $0.split(separator: " ").prefix(2).joined(separator: " ") }.sorted()
  }

  @Test func `inspecting the files of a killed writer shows every value and changes no file`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (home, left) = (directory.appending(path: "home"), directory.appending(path: "left"))
      let storage = try Self.storage(home)
      for number in 1...3 { try Self.write(number, into: storage) }

      // Nothing is cleaned up while the storage is open: a copy has the files of a killed writer.
      try FileManager.default.copyItem(at: home, to: left)
      #expect(try storage.names(of: .preference) == ["number"])

      for journal in ["settings.journal", "old settings.gdbm.journal"] {
        let file = try FileHandle(forWritingTo: left.appending(path: journal))
        try file.seekToEnd()
        try file.write(contentsOf: Data([200, 0, 0, 0, 7]))
        try file.close()
      }
      for folder in [".", "documents", "blobs"] {
        try Data("half".utf8).write(
          to: left.appending(path: folder).appending(path: ".undercroft-1.tmp"))
      }
      let before = try fileStates(in: left)

      #expect(before.keys.contains("records.sqlite-wal"))

      let answers = try Self.lists(left)
      for answer in answers { #expect(answer.status == 0, "\(answer.errors)") }
      #expect(Self.names(answers) == Self.expected)
      for kind in Self.keyed {
        let value = try run(
          "get", left.path, "number", "--kind", kind.name, "--reveal", "--yes", "--key-file",
          left.appending(path: Self.key).path)
        #expect(value.status == 0, "\(kind): \(value.errors)")
        #expect(value.output.contains("3"), "\(kind)")
      }
      for format in ["table", "json"] {
        #expect(try run("ls", left.path, "--format", format).status == 0)
      }
      #expect(try fileStates(in: left) == before)
    }
  }

  @Test func `inspecting a store while a writer runs shows every value and makes no write fail`()
    throws
  {
    try withTemporaryDirectory { home in
      let storage = try Self.storage(home)
      try Self.write(0, into: storage)
      let state = Mutex((isDone: false, failures: [String]()))
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) {
        var number = 1
        while !state.withLock({ $0.isDone }) {
          do {
            try Self.write(number, into: storage)
          } catch {
            state.withLock { $0.failures.append("\(error)") }
          }
          number += 1
        }
      }
      // If a command throws, the writer ends, too.
      defer { state.withLock { $0.isDone = true } }
      for _ in 0..<10 {
        let answers = try Self.lists(home)
        for answer in answers { #expect(answer.status == 0, "\(answer.errors)") }
        #expect(Self.names(answers) == Self.expected)
      }
      state.withLock { $0.isDone = true }
      group.wait()

      #expect(state.withLock { $0.failures } == [])
    }
  }
}
