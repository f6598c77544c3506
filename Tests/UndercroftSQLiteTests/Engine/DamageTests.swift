import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite
import UndercroftTesting

@Suite struct DamageTests {
  private static func sound(in directory: URL) throws -> Data {
    let url = directory.appending(path: "sound.sqlite")
    let backend = try SQLiteBackend(at: url)
    try backend.database.write { db in
      try db.execute("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT UNIQUE)")
      for number in 0..<200 {
        try db.execute("INSERT INTO book(title) VALUES (\("title \(number)"))")
      }
    }
    try backend.apply((0..<50).map { .set("loan/\($0)", Data(count: $0 * 40)) })
    try backend.database.close()
    return try Data(contentsOf: url)
  }

  @Test
  func `opening a file that is not a database throws a corruption error and changes no file`()
    throws
  {
    try withTemporaryDirectory { directory in
      let sound = try Self.sound(in: directory)
      let url = directory.appending(path: "library.sqlite")
      for bytes in [
        Data("a shopping list, not a database".utf8), Data(count: 4096), sound.prefix(5_000),
        Data((0..<8192).map { _ in UInt8.random(in: 1...255) }),
        Data(repeating: 7, count: 100) + sound.dropFirst(100),
      ] {
        try bytes.write(to: url)
        let error = #expect(throws: StorageError.self) { try SQLiteBackend(at: url) }
        #expect(error?.code == .corrupted)
        #expect(error?.message.contains("restore the file from a backup") == true)
        #expect(try Data(contentsOf: url) == Data(bytes))
        #expect(throws: StorageError.self) {
          try StoreInspectorFactory.sqlite.open(url, .init()).inspect()
        }
        #expect(try Data(contentsOf: url) == Data(bytes))
        #expect(!FileManager.default.fileExists(atPath: url.path + "-wal"))
      }
    }
  }

  @Test func `an empty file opens as an empty database`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      try Data().write(to: url)
      #expect(try SQLiteBackend(at: url).keys(withPrefix: "") == [])
    }
  }

  @Test(.heavy, .timeLimit(.hangLimit))
  func `reading a damaged file succeeds or throws a StorageError, and never crashes`() throws {
    try withTemporaryDirectory { directory in
      let sound = try Self.sound(in: directory)
      let url = directory.appending(path: "library.sqlite")
      var random = SeededGenerator(seed: 3)
      var failures = 0
      for round in 0..<1_000 {
        for suffix in ["", "-wal", "-shm"] {
          try? FileManager.default.removeItem(atPath: url.path + suffix)
        }
        try Self.damage(sound, round, &random).write(to: url)
        do {
          let store = try StoreInspectorFactory.sqlite.open(url, .init())
          _ = try store.inspect()
          for entry in try store.entries(withPrefix: "") { _ = try store.bytes(of: entry.name) }
          let backend = try SQLiteBackend(at: url)
          for key in try backend.keys(withPrefix: "") { _ = try backend.read(key) }
          try backend.apply([.set("loan/7", Data(count: 5_000)), .remove("loan/8")])
          _ = try backend.database.read { db in
            try db.fetchAll("SELECT * FROM book ORDER BY title") { row in try row["title"] as String
            }
          }
        } catch is StorageError {
          failures += 1
        }
      }

      #expect(failures > 100)
    }
  }

  private static func damage(
    _ sound: Data, _ round: Int, _ random: inout SeededGenerator
  ) -> Data {
    var bytes = sound
    switch round % 4 {
    case 0:
      for _ in 0...round % 7 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
    case 1: bytes[Int.random(in: 0..<100, using: &random)] ^= 1 << UInt8(round % 8)
    case 2: bytes = bytes.prefix(Int.random(in: 1..<bytes.count, using: &random))
    default:
      let start = Int.random(in: 0..<bytes.count - 600, using: &random)
      for index in start..<start + 600 { bytes[index] = .random(in: 0...255, using: &random) }
    }
    return Data(bytes)
  }

  @Test func `an unknown schema format in the file header is reported as corruption`() throws {
    try withTemporaryDirectory { directory in
      var bytes = try Self.sound(in: directory)
      // The schema format number (big endian).
      bytes[47] = 9
      let url = directory.appending(path: "library.sqlite")
      try bytes.write(to: url)

      let error = #expect(throws: StorageError.self) { try Database(at: url) }
      #expect(error?.code == .corrupted)
      #expect(try Data(contentsOf: url) == bytes)
    }
  }
}
