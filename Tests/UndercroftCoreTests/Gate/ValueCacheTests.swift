import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftTesting

@Suite struct ValueCacheTests {
  @Test func `repeated reads of a setting read the backend once`() throws {
    var storage = Storage()
    let memory = MemoryBackend()
    try memory.apply([.set("fontSize", Data("9".utf8))])
    // The second read would fail.
    try storage.use(.backend(FaultyBackend(memory, .read(2))), for: .preference)

    for _ in 0..<100 { #expect(storage[.fontSize] == 9) }
  }

  @Test func `repeated reads of an absent setting read the backend once`() throws {
    var storage = Storage()
    // The second read would fail.
    let choice = BackendChoice.backend(FaultyBackend(MemoryBackend(), .read(2)))
    try storage.use(choice, for: .preference)
    let issues = EventCollector<StorageError>()
    storage.issueHandler = { issues.append($0) }
    for _ in 0..<100 { #expect(storage[.fontSize] == 12) }
    #expect(issues.events.isEmpty)

    try storage.save(5, for: .fontSize)
    #expect(issues.events.isEmpty)
  }

  @Test func `a read directly after a write, a removal or an edit returns the current value`()
    throws
  {
    let storage = try library(.preference)
    for size in [1, 2, 3] {
      try storage.save(size, for: .fontSize)
      #expect(storage[.fontSize] == size)
    }
    try storage.remove(.fontSize)
    #expect(storage[.fontSize] == 12)

    try storage.edit(.preference) { $0[.fontSize] = 5 }
    #expect(storage[.fontSize] == 5)

    try storage.removeAll(of: .preference)
    #expect(storage[.fontSize] == 12)
  }

  @Test func `a read never returns a value older than a write that has returned`() async throws {
    let storage = try library(.preference)
    await withTaskGroup(of: Int.self) { group in
      let newest = Newest()
      group.addTask {
        for size in 1...20_000 {
          try? storage.save(size, for: .fontSize)
          newest.raise(to: size)
        }
        newest.raise(to: .max)
        return 0
      }
      for _ in 0..<2 {
        group.addTask {
          var stale = 0
          while true {
            let floor = newest.value
            if floor == .max { return stale }
            let seen = storage[.fontSize]
            if seen < floor, floor > 12 { stale += 1 }
          }
        }
      }
      for await stale in group { #expect(stale == 0) }
    }
  }

  private final class Newest: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock { $0 } }
    func raise(to value: Int) { number.withLock { $0 = value } }
  }

  @Test func `a read returns the value of another process's preceding write`() throws {
    let store = SharedStore()
    var storage = Storage()
    try storage.use(.backend(store.open()), for: .preference)
    let other = store.open()
    for size in [7, 8, 9] {
      try other.apply([.set("fontSize", Data("\(size)".utf8))])
      #expect(storage[.fontSize] == size)
      #expect(storage[.fontSize] == size)
    }
  }

  @Test
  func `a read through a wrapping backend returns the value of another process's preceding write`()
    throws
  {
    let store = SharedStore()
    var storage = Storage()
    let layers: [(any StorageBackend) -> any StorageBackend] = [
      { NamespacedBackend($0, namespace: "reading") }, { ReadOnlyBackend($0) },
      { SearchListBackend(overrides: [MemoryBackend()], primary: $0) },
      { SearchListBackend(primary: MemoryBackend(), fallbacks: [$0]) }, { FaultyBackend($0) },
    ]
    let other = store.open()
    for (number, layer) in layers.enumerated() {
      let backend = layer(store.open())
      try storage.use(
        BackendChoice("layer", .atomicBatches, at: nil) { () throws(StorageError) in backend },
        for: .preference)
      for size in [number * 10 + 1, number * 10 + 2] {
        let bytes = Data("\(size)".utf8)
        try other.apply([.set("reading/fontSize", bytes), .set("fontSize", bytes)])
        #expect(storage[.fontSize] == size, "layer \(number)")
      }
    }
  }

  /// An override or a fallback by type, and the backend that writes to it without the list.
  private static let upstreams: [@Sendable () -> (any StorageBackend, any StorageBackend)] = [
    {
      let memory = MemoryBackend()
      return (memory, memory)
    },
    {
      let memory = MemoryBackend()
      return (ReadOnlyBackend(memory), memory)
    },
    {
      let shared = SharedStore().open()
      return (shared, shared)
    },
    {
      let store = SharedStore()
      return (store.open(), store.open())
    },
    {
      let minimal = MinimalBackend()
      return (minimal, minimal)
    },
    {
      let minimal = MinimalBackend()
      return (FaultyBackend(minimal), minimal)
    },
  ]

  @Test(arguments: upstreams.indices)
  func `a read through a SearchListBackend returns a value just written to one of its backends`(
    _ index: Int
  ) throws {
    for isOverride in [true, false] {
      let (upstream, writer) = Self.upstreams[index]()
      let list = SearchListBackend(
        overrides: isOverride ? [upstream] : [], primary: MemoryBackend(),
        fallbacks: isOverride ? [] : [upstream])
      for backend in [list, SearchListBackend(primary: list)] {
        var storage = Storage()
        try storage.use(.backend(backend), for: .preference)
        for size in [1, 2, 3] {
          _ = storage[.fontSize]
          try writer.apply([.set("fontSize", Data("\(size)".utf8))])
          #expect(storage[.fontSize] == size)
          #expect(try storage.load(.fontSize) == size)
        }
        try writer.apply([.remove("fontSize")])
        #expect(storage[.fontSize] == 12)
      }
    }
  }

  @Test
  func `repeated reads of in-memory backends in a SearchListBackend read the primary backend once`()
    throws
  {
    let primary = MemoryBackend()
    try primary.apply([.set("fontSize", Data("9".utf8))])
    var storage = Storage()
    // The second read would fail.
    let list = SearchListBackend(
      overrides: [MemoryBackend()], primary: FaultyBackend(primary, .read(2)),
      fallbacks: [MemoryBackend()])
    try storage.use(.backend(list), for: .preference)
    let issues = EventCollector<StorageError>()
    storage.issueHandler = { issues.append($0) }

    for _ in 0..<100 { #expect(storage[.fontSize] == 9) }
    #expect(issues.events.isEmpty)
  }

  @Test
  func `an observer of a SearchListBackend is called once per change of a value or its override`()
    async throws
  {
    let arguments = MemoryBackend()
    var (volatile, storage) = (Storage(), Storage())
    try volatile.use(.backend(arguments), for: .preference)
    try storage.use(.memory.searching(overrides: [arguments]), for: .preference)
    let heard = EventCollector<String>()
    let registration = try storage.gate(for: .preference).observe(["fontSize"]) {
      heard.append("size")
    }

    try volatile.save(20, for: .fontSize)
    #expect(try await eventually { heard.count == 1 })
    #expect(storage[.fontSize] == 20)

    try storage.save(.dark, for: .theme)
    try storage.save(10, for: .fontSize)
    #expect(try await eventually { heard.count == 2 })
    registration.cancel()
  }

  @Test
  func `a storage reads a value that another storage of the same backend wrote`()
    throws
  {
    let memory = MemoryBackend()
    var (desk, office) = (Storage(), Storage())
    try desk.use(.backend(memory), for: .preference)
    try office.use(.backend(memory), for: .preference)
    for size in [1, 2, 3] {
      #expect(desk[.fontSize] == office[.fontSize])
      try office.save(size, for: .fontSize)
      #expect(desk[.fontSize] == size)
    }
  }

  /// A value whose release reads another setting.
  private final class Bookmark: Codable, Sendable {
    static let onRelease = Mutex<(@Sendable () -> Void)?>(nil)
    let page: Int

    init(page: Int) { self.page = page }

    deinit { Self.onRelease.withLock { $0 }?() }
  }

  @Test
  func `releasing a cached value whose deinitializer reads a setting does not deadlock`() throws {
    let store = SharedStore()
    var storage = Storage()
    try storage.use(.backend(store.open()), for: .preference)
    let key = StorageKey("bookmark", kind: .preference, default: Bookmark(page: 0))
    let sizes = EventCollector<Int>()
    let reader = storage
    Bookmark.onRelease.withLock { $0 = { sizes.append(reader[.fontSize]) } }
    defer { Bookmark.onRelease.withLock { $0 = nil } }

    try storage.save(Bookmark(page: 1), for: key)
    #expect(storage[key].page == 1)
    let own = sizes.count
    // Replaced by a write through this gate and by another process, and read again each time.
    try storage.remove(key)
    #expect(sizes.count == own + 1)
    try storage.save(Bookmark(page: 2), for: key)
    #expect(storage[key].page == 2)
    let others = sizes.count
    try store.open().apply([.set("fontSize", Data("20".utf8))])
    #expect(storage[.fontSize] == 20)

    #expect(sizes.count == others + 1)
  }

  @Test
  func `reading a stored value through keys of different types decodes the value as each type`()
    throws
  {
    let storage = try library(.preference)
    let number = StorageKey<Int>("mixed", kind: .preference, default: 0)
    let fraction = StorageKey<Double>("mixed", kind: .preference, default: 0)
    try storage.save(3, for: number)

    #expect(storage[number] == 3)
    #expect(storage[fraction] == 3.0)
    #expect(storage[number] == 3)
  }

  @Test func `a failed read by subscript is reported to the issue handler and returns the default`()
    throws
  {
    let memory = MemoryBackend()
    try memory.apply([.set("fontSize", Data(#""huge""#.utf8))])
    var storage = Storage()
    let issues = EventCollector<StorageError>()
    storage.issueHandler = { issues.append($0) }
    #expect(storage[.fontSize] == 12)

    try storage.use(.backend(memory), for: .preference)
    #expect(storage[.fontSize] == 12)
    #expect(storage[.readerCard] == nil)
    #expect(issues.events.map(\.code) == [.unavailable, .decodingFailed, .misuse])
    #expect(issues.events.map(\.key) == [nil, "fontSize", "readerCard"])
  }

  @Test func `assigning a value through the subscript of a storage saves the value`() throws {
    let storage = try library(.preference)

    storage[.theme] = .dark
    storage[.fontSize] += 1

    #expect(storage[.theme] == .dark)
    #expect(try storage.load(.fontSize) == 13)
  }

  private struct Veto: Error {}

  @Test func `a failed write by subscript is reported to the issue handler and stores nothing`()
    throws
  {
    var storage = Storage()
    try storage.use(.backend(FaultyBackend(MemoryBackend(), .apply(2))), for: .preference)
    let issues = EventCollector<StorageError>()
    storage.issueHandler = { issues.append($0) }
    storage[.fontSize] = 14

    storage[.fontSize] = 15
    let veto = try storage.intercept(.preference) { _ in throw Veto() }
    storage[.fontSize] = 16
    storage[.readerCard] = "4711"

    #expect(issues.events.map(\.code) == [.io, .vetoed, .misuse])
    #expect(issues.events.map(\.key) == ["fontSize", "fontSize", "readerCard"])
    #expect(issues.events[1].underlying is Veto)
    #expect(storage[.fontSize] == 14)
    veto.cancel()
  }
}
