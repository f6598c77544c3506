import Foundation
import Testing
import UndercroftCore

@Suite struct NameTests {
  private func key(_ name: String) -> StorageKey<Int> { StorageKey(name, kind: .cache, default: 0) }

  @Test(arguments: [
    "", "\0", "a\0b", String(repeating: "x", count: 256), String(repeating: "図", count: 86),
  ])
  func `a storage rejects a key name that is empty, contains NUL or is longer than 255 bytes`(
    name: String
  ) throws {
    let storage = try library(.cache)
    let doors: [() throws -> Void] = [
      { _ = try storage.load(key(name)) }, { try storage.save(1, for: key(name)) },
      { try storage.remove(key(name)) }, { _ = try storage.contains(key(name)) },
      { try storage.edit(.cache) { try $0.save(1, for: key(name)) } },
    ]
    for door in doors {
      let error = #expect(throws: StorageError.self) { try door() }
      #expect(error?.code == .invalidKey)
      #expect(error.map { "\($0)" }?.contains("\0") == false)
    }
  }

  @Test func `a key name of 255 bytes is accepted`() throws {
    let storage = try library(.cache)
    for name in [String(repeating: "x", count: 255), String(repeating: "図", count: 85)] {
      try storage.save(1, for: key(name))
      #expect(try storage.load(key(name)) == 1)
    }
    #expect(try storage.names(of: .cache).count == 2)
  }

  @Test
  func `if data kinds share a backend, a key name's length limit includes the data kind's prefix`()
    throws
  {
    var storage = Storage()
    try storage.use(.memory, for: .cache, .document)
    try storage.save(1, for: key(String(repeating: "x", count: 249)))

    let error = #expect(throws: StorageError.self) {
      try storage.save(1, for: key(String(repeating: "x", count: 250)))
    }

    #expect(error?.code == .invalidKey)
  }

  @Test
  func `a storage rejects an empty key name even if the backend stores key names with a prefix`()
    throws
  {
    let memory = MemoryBackend()
    var storage = Storage()
    try storage.use(.backend(memory), for: .cache, .document)

    for call in [
      { _ = try storage.load(key("")) }, { try storage.save(1, for: key("")) },
      { try storage.remove(key("")) }, { _ = try storage.contains(key("")) },
      { try storage.edit(.cache) { try $0.save(1, for: key("")) } },
    ] as [() throws -> Void] {
      let error = #expect(throws: StorageError.self) { try call() }
      #expect(error?.code == .invalidKey)
      #expect(error?.message.contains("the name is empty") == true)
    }
    #expect(try memory.keys(withPrefix: "") == [])
  }

  @Test
  func `canonically equivalent key names address one value, which is stored under normal form C`()
    throws
  {
    let storage = try library(.cache)
    try storage.save(1, for: key("e\u{301}tage\u{300}re"))
    #expect(try storage.load(key("\u{e9}tag\u{e8}re")) == 1)
    let names = try storage.names(of: .cache)
    #expect(names.map { Array($0.unicodeScalars) } == [Array("\u{e9}tag\u{e8}re".unicodeScalars)])
    #expect(try storage.names(of: .cache, withPrefix: "e\u{301}") == names)
  }

  @Test(arguments: ["e\u{301}", "\u{1100}\u{1161}", "\u{301}", "\u{212b}"])
  func `values of a data kind whose name is not in normal form C can be saved, listed and removed`(
    spelling: String
  ) throws {
    let kind = DataKind(spelling)
    let key = StorageKey("\u{301}book", kind: kind, default: 0)
    let memory = MemoryBackend()
    var storage = Storage()
    try storage.use(.backend(memory), for: kind, .cache)
    try storage.save(1, for: key)
    #expect(try storage.names(of: kind) == ["\u{301}book"])
    #expect(
      try memory.keys(withPrefix: storage.routeDescriptions.map(\.prefix).max() ?? "").count == 1)

    try storage.removeAll(of: kind)
    #expect(try storage.load(key) == 0)
  }

  @Test func `the message of the error for a key name above the length limit shortens the name`()
    throws
  {
    let name = "e" + String(repeating: "\u{301}", count: 100_000)
    let error = #expect(throws: StorageError.self) { try library(.cache).load(key(name)) }
    #expect(try #require(error).message.utf8.count < 2_000)
  }

  @Test func `the length of a decomposed key name is measured after normalization`() throws {
    let storage = try library(.cache)
    let name = String(repeating: "e\u{301}", count: 127)
    #expect(name.utf8.count == 381)
    try storage.save(1, for: key(name))
    #expect(try storage.contains(key(name)))
  }
}
