import Foundation
import Testing
import UndercroftCore
import UndercroftTesting

@Suite struct SearchListBackendTests {
  private func list() throws -> (SearchListBackend, primary: MemoryBackend) {
    let (arguments, primary, defaults) = (MemoryBackend(), MemoryBackend(), MemoryBackend())
    try arguments.apply([.set("theme", Data("argument".utf8))])
    try primary.apply([.set("theme", Data("own".utf8)), .set("size", Data("own".utf8))])
    try defaults.apply(["theme", "size", "font"].map { .set($0, Data("default".utf8)) })
    let list = SearchListBackend(overrides: [arguments], primary: primary, fallbacks: [defaults])
    return (list, primary)
  }

  @Test
  func `a SearchListBackend prefers overrides to primary values, and primary values to fallbacks`()
    throws
  {
    let (list, _) = try list()

    #expect(try list.read("theme") == Data("argument".utf8))
    #expect(try list.read("size") == Data("own".utf8))
    #expect(try list.read("font") == Data("default".utf8))
    #expect(try list.read("absent") == nil)
    #expect(try list.keys(withPrefix: "") == ["font", "size", "theme"])
  }

  @Test func `a SearchListBackend applies writes and removals to its primary backend only`() throws
  {
    let (list, primary) = try list()
    try list.apply([.set("theme", Data("new".utf8)), .remove("size"), .remove("font")])

    #expect(try list.read("theme") == Data("argument".utf8))
    #expect(try primary.read("theme") == Data("new".utf8))
    #expect(try list.read("size") == Data("default".utf8))
    #expect(try list.read("font") == Data("default".utf8))
  }

  @Test
  func `a BackendChoice with fallbacks reads a fallback value if the primary backend has no value`()
    throws
  {
    let defaults = MemoryBackend()
    try defaults.apply([.set("fontSize", Data("20".utf8))])
    var storage = Storage()
    try storage.use(.memory.searching(fallbacks: [defaults]), for: .preference)
    #expect(storage[.fontSize] == 20)

    try storage.save(5, for: .fontSize)
    #expect(storage[.fontSize] == 5)

    try storage.remove(.fontSize)
    #expect(storage[.fontSize] == 20)
  }
}

@Suite struct ReadOnlyBackendTests {
  @Test func `a read-only backend passes reads through and refuses writes`() throws {
    let memory = MemoryBackend()
    try memory.apply([.set("book", Data([1]))])
    let backend = ReadOnlyBackend(memory)
    #expect(try backend.read("book") == Data([1]))
    #expect(try backend.keys(withPrefix: "b") == ["book"])
    for change in [StorageChange.set("book", Data()), .remove("book"), .remove("absent")] {
      let error = #expect(throws: StorageError.self) { try backend.apply([change]) }
      #expect(error?.code == .accessDenied)
      #expect(error?.key == change.name)
    }
    try backend.apply([])
    #expect(try memory.read("book") == Data([1]))
  }

  @Test func `a read-only BackendChoice refuses writes`() throws {
    var storage = Storage()
    try storage.use(.memory.readOnly(), for: .preference)

    let error = #expect(throws: StorageError.self) { try storage.save(1, for: .fontSize) }

    #expect(error?.code == .accessDenied)
  }
}

@Suite struct NamespacedBackendTests {
  @Test func `two namespaces of one backend hold separate values`() throws {
    let memory = MemoryBackend()
    let (adult, child) = (
      NamespacedBackend(memory, namespace: "adult"), NamespacedBackend(memory, namespace: "child")
    )
    try adult.apply([.set("book", Data([1]))])
    #expect(try child.read("book") == nil)

    try child.apply([.remove("book")])
    #expect(try adult.read("book") == Data([1]))
    #expect(try memory.keys(withPrefix: "") == ["adult/book"])
  }

  @Test(arguments: ["book", "\u{301}book"])
  func `an error of a namespaced backend names the key without the namespace`(key: String) throws {
    let backend = NamespacedBackend(
      FaultyBackend(MemoryBackend(), .apply(1), .read(1)), namespace: "adult")
    #expect(throws: StorageError.self) { try backend.apply([.set(key, Data())]) }
    let error = #expect(throws: StorageError.self) { try backend.read(key) }
    #expect(error?.key == key)
  }

  @Test func `canonically equivalent namespaces address the same values`() throws {
    let memory = MemoryBackend()
    try NamespacedBackend(memory, namespace: "e\u{301}").apply([.set("book", Data())])
    let names = try NamespacedBackend(memory, namespace: "\u{e9}").keys(withPrefix: "")
    #expect(names == ["book"])

    var storage = Storage()
    try storage.use(.backend(memory).namespaced("e\u{301}"), for: .cache)
    let prefix = try #require(storage.routeDescriptions.first).prefix
    #expect(try memory.keys(withPrefix: prefix).count == 1)
  }

  @Test func `a namespaced BackendChoice stores keys under the prefix of the namespace`() throws {
    let memory = MemoryBackend()
    var storage = Storage()
    try storage.use(.backend(memory).namespaced("adult"), for: .preference)
    try storage.save(1, for: .fontSize)

    #expect(try memory.keys(withPrefix: "") == ["adult/fontSize"])
    #expect(try storage.names(of: .preference) == ["fontSize"])
  }
}
