import Foundation
import Testing
import UndercroftCore
import UndercroftTesting

@Suite struct StorageTests {
  @Test func `a saved value can be loaded`() throws {
    let storage = try library(.preference, .document)
    try storage.save(.dark, for: .theme)
    try storage.save(Loan(book: "Emma", days: 14), for: .loan(1))

    #expect(try storage.load(.theme) == .dark)
    #expect(try storage.load(.loan(1)) == Loan(book: "Emma", days: 14))
  }

  @Test func `loading an absent value returns the default`() throws {
    let storage = try library(.preference, .document)

    #expect(try storage.load(.theme) == .system)
    #expect(try storage.load(.loan(1)) == nil)
    #expect(storage[.theme] == .system)
    #expect(try !storage.contains(.theme))
  }

  @Test func `saving nil removes the value`() throws {
    let storage = try library(.document)
    try storage.save(Loan(book: "Emma", days: 14), for: .loan(1))
    try storage.save(nil, for: .loan(1))

    #expect(try storage.load(.loan(1)) == nil)
    #expect(try !storage.contains(.loan(1)))
    #expect(try storage.names(of: .document) == [])
  }

  @Test func `removing a value succeeds whether or not the value exists`() throws {
    let storage = try library(.preference)
    try storage.remove(.theme)
    try storage.save(.light, for: .theme)
    #expect(try storage.contains(.theme))

    try storage.remove(.theme)
    #expect(try !storage.contains(.theme))
    #expect(storage[.theme] == .system)
  }

  @Test func `the key names of a data kind are listed in order and can be filtered by prefix`()
    throws
  {
    let storage = try library(.document)

    for number in [3, 1, 20] { try storage.save(Loan(book: "b", days: number), for: .loan(number)) }
    #expect(try storage.names(of: .document) == ["loan/1", "loan/20", "loan/3"])
    #expect(try storage.names(of: .document, withPrefix: "loan/2") == ["loan/20"])
    #expect(try storage.names(of: .document, withPrefix: "book") == [])
  }

  @Test
  func `removing all values of one data kind leaves the values of other data kinds unchanged`()
    throws
  {
    var storage = Storage()
    try storage.use(.memory, for: .document, .preference)
    try storage.save(.dark, for: .theme)
    for number in 1...3 { try storage.save(Loan(book: "b", days: 1), for: .loan(number)) }

    try storage.removeAll(of: .document)
    #expect(try storage.names(of: .document) == [])
    #expect(storage[.theme] == .dark)
  }

  @Test func `data kinds that share a backend hold separate values`() throws {
    let memory = MemoryBackend()
    var storage = Storage()
    try storage.use(.backend(memory), for: .document, .preference)
    let setting = StorageKey<String?>("same", kind: .preference)
    let document = StorageKey<String?>("same", kind: .document)
    try storage.save("a", for: setting)
    #expect(try storage.load(document) == nil)

    try storage.save("b", for: document)
    #expect(try storage.load(setting) == "a")
    #expect(try memory.keys(withPrefix: "") == ["document/same", "preference/same"])
    #expect(try storage.names(of: .preference) == ["same"])
  }

  @Test
  func `a backend of only one data kind stores the values under key names without a prefix`()
    throws
  {
    let memory = MemoryBackend()
    var storage = Storage()
    try storage.use(.backend(memory), for: .preference)
    try storage.save(.dark, for: .theme)

    #expect(try memory.read("theme") == Data(#""dark""#.utf8))
  }

  @Test func `a key's codec overrides its data kind's codec, which overrides the backend's codec`()
    throws
  {
    let memory = MemoryBackend()
    var choice = BackendChoice.backend(memory)
    choice.codec = PropertyListCodec(.xml)
    var storage = Storage()
    try storage.use(choice, for: .document)
    try storage.save("x", for: StorageKey<String?>("chosen", kind: .document))
    #expect(try memory.read("chosen")?.starts(with: Data("<?xml".utf8)) == true)

    try storage.use(choice, for: .document, as: .json)
    try storage.save("x", for: StorageKey<String?>("routed", kind: .document))
    #expect(try memory.read("routed") == Data(#""x""#.utf8))

    try storage.save("x", for: StorageKey<String?>("keyed", kind: .document, as: .string))
    #expect(try memory.read("keyed") == Data("x".utf8))
  }

  @Test func `copies of a storage share their backends`() throws {
    let storage = try library(.preference)
    let copy = storage
    try storage.save(.dark, for: .theme)
    #expect(copy[.theme] == .dark)
    try copy.save(.light, for: .theme)
    #expect(storage[.theme] == .light)
  }

  @Test
  func `loading an undecodable value removes nothing and throws an error that names the key`()
    throws
  {
    let memory = MemoryBackend()
    try memory.apply([.set("loan/1", Data("secret reader 4711".utf8))])
    var storage = Storage()
    try storage.use(.backend(memory), for: .document)

    let error = #expect(throws: StorageError.self) { try storage.load(.loan(1)) }

    #expect(error?.code == .decodingFailed)
    #expect(error?.key == "loan/1")
    #expect(error.map { "\($0)" }?.contains("4711") == false)
    #expect(try memory.read("loan/1") == Data("secret reader 4711".utf8))
  }

  @Test func `the code of an error thrown by a backend reaches the caller of the storage`() throws {
    var storage = Storage()
    let faulty = FaultyBackend(
      MemoryBackend(), .read(1).throwing(StorageError(.corrupted, "cannot read the shelf")),
      .apply(1).throwing(StorageError(.full, "cannot write the shelf")))
    try storage.use(.backend(faulty), for: .document)
    #expect(throws: StorageError.self) { try storage.load(.loan(1)) }

    let error = #expect(throws: StorageError.self) {
      try storage.save(Loan(book: "Emma", days: 1), for: .loan(1))
    }
    #expect(error?.code == .full)
    #expect(error?.key == "loan/1")
    #expect(error?.backend == "memory")
  }
}
