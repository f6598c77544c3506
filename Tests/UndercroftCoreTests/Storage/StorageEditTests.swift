import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftTesting

@Suite struct StorageEditTests {
  private struct Refusal: Error, Equatable {}

  @Test func `an edit applies all its changes in one batch`() throws {
    let storage = try library(.preference)
    let batches = EventCollector<Int>()
    let registration = try storage.intercept(
      .preference, after: { batches.append($0.names.count) })
    let size = try storage.edit(.preference) { edit in
      edit[.theme] = .dark
      edit[.fontSize] = 14
      edit[.fontSize] += 1
      edit[.lastReader] = "Ada"
      return edit[.fontSize]
    }

    #expect(size == 15)
    #expect(storage[.theme] == .dark)
    #expect(storage[.fontSize] == 15)
    #expect(storage[.lastReader] == "Ada")
    #expect(batches.events == [3])
    registration.cancel()
  }

  @Test
  func `an edit reads its own changes; other readers read the old values until the edit ends`()
    throws
  {
    let storage = try library(.preference)
    try storage.save(.light, for: .theme)
    try storage.edit(.preference) { edit in
      edit[.theme] = .dark
      #expect(edit[.theme] == .dark)
      #expect(storage[.theme] == .light)
      try edit.remove(.theme)
      #expect(edit[.theme] == .system)
      try edit.save(.dark, for: .theme)
      #expect(try edit.load(.theme) == .dark)
    }

    #expect(storage[.theme] == .dark)
  }

  @Test
  func `an error thrown in an edit discards all changes of the edit and is rethrown unchanged`()
    throws
  {
    let storage = try library(.preference)

    #expect(throws: Refusal.self) {
      try storage.edit(.preference) {
        $0[.theme] = .dark
        throw Refusal()
      }
    }
    #expect(storage[.theme] == .system)
  }

  @Test
  func `if an edit writes a key of another data kind, the edit throws and changes nothing`()
    throws
  {
    let storage = try library(.preference, .secret)

    let error = #expect(throws: StorageError.self) {
      try storage.edit(.preference) {
        $0[.theme] = .dark
        $0[.readerCard] = "4711"
      }
    }

    #expect(error?.code == .misuse)
    #expect(error?.key == "readerCard")
    #expect(storage[.theme] == .system)
    #expect(try storage.load(.readerCard) == nil)
  }

  @Test func `an edit throws an error if its closure reads an undecodable value by subscript`()
    throws
  {
    let memory = MemoryBackend()
    try memory.apply([.set("fontSize", Data("damaged".utf8))])
    var storage = Storage()
    try storage.use(.backend(memory), for: .preference)

    let error = #expect(throws: StorageError.self) {
      try storage.edit(.preference) { $0[.fontSize] += 1 }
    }

    #expect(error?.code == .decodingFailed)
    #expect(try memory.read("fontSize") == Data("damaged".utf8))
  }

  @Test func `an edit throws if the backend does not support atomic batches`() throws {
    var storage = Storage()
    try storage.use(.backend(MinimalBackend()), for: .document)

    let error = #expect(throws: StorageError.self) { try storage.edit(.document) { _ in } }

    #expect(error?.code == .notSupported)
    #expect(error?.message.contains(".atomicBatches") == true)
  }

  @Test
  func `an edit throws if a backend shared across processes does not support exclusive access`()
    throws
  {
    for layer in [
      { $0 }, { NamespacedBackend($0, namespace: "loans") }, { SearchListBackend(primary: $0) },
    ] as [(any StorageBackend) -> any StorageBackend] {
      var storage = Storage()
      try storage.use(.backend(layer(Unguarded())), for: .preference)

      let error = #expect(throws: StorageError.self) {
        try storage.edit(.preference) { $0[.fontSize] = 20 }
      }

      #expect(error?.code == .notSupported)
      try storage.save(20, for: .fontSize)
      #expect(try storage.load(.fontSize) == 20)
    }
  }

  /// An in-memory backend that declares itself shared between processes, although it has no lock.
  private struct Unguarded: StorageBackend {
    private let memory = MemoryBackend()
    var name: String { "unguarded" }
    var location: URL? { nil }
    var capabilities: Capabilities { [.atomicBatches, .sharedAcrossProcesses] }
    func read(_ key: String) throws(StorageError) -> Data? { try memory.read(key) }
    func apply(_ changes: [StorageChange]) throws(StorageError) { try memory.apply(changes) }
    func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
      try memory.keys(withPrefix: prefix)
    }
  }

  @Test func `a nested edit throws a misuse error instead of deadlocking`() throws {
    let storage = try library(.preference)
    let error = #expect(throws: StorageError.self) {
      try storage.edit(.preference) { _ in
        try storage.edit(.preference) { $0[.fontSize] = 1 }
      }
    }
    #expect(error?.code == .misuse)

    try storage.save(3, for: .fontSize)
    #expect(storage[.fontSize] == 3)
  }

  @Test func `concurrent edits of several threads are all applied`() async throws {
    let storage = try library(.preference)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<100 { try await storage.async.edit(.preference) { $0[.fontSize] += 1 } }
        }
      }
      try await group.waitForAll()
    }

    #expect(try storage.load(.fontSize) == 812)
    #expect(storage[.fontSize] == 812)
  }

  /// Functions that create the backend of each of two storages that share one in-memory backend,
  /// with a separate layer for each storage.
  static let layers: [@Sendable (MemoryBackend) -> any StorageBackend] = [
    { $0 }, { NamespacedBackend($0, namespace: "loans") }, { SearchListBackend(primary: $0) },
    { FaultyBackend($0) }, { SearchListBackend(primary: NamespacedBackend($0, namespace: "a")) },
  ]

  @Test(arguments: layers.indices)
  func `concurrent edits of two storages on one backend are all applied`(
    _ index: Int
  ) async throws {
    let memory = MemoryBackend()
    let storages = try (0..<2).map { _ in
      var storage = Storage()
      try storage.use(.backend(Self.layers[index](memory)), for: .preference)
      return storage
    }

    try await withThrowingTaskGroup(of: Void.self) { group in
      for storage in storages {
        group.addTask {
          try await storage.async.perform { storage in
            for _ in 0..<5_000 { try storage.edit(.preference) { $0[.fontSize] += 1 } }
          }
        }
      }
      try await group.waitForAll()
    }

    for storage in storages { #expect(try storage.load(.fontSize) == 10_012) }
  }

  @Test
  func `another thread's write to a backend waits until the current edit of the backend ends`()
    async throws
  {
    let memory = MemoryBackend()
    var storage = Storage()
    try storage.use(.backend(memory), for: .preference)
    let other = Gate(memory)

    let writing = try storage.edit(.preference) { edit in
      let isStarted = DispatchSemaphore(value: 0)
      let (writing, continuation) = AsyncStream<Result<Void, any Error>>.makeStream()
      // This wait blocks a thread of the shared pool, which may have no other thread for a task.
      Thread.detachNewThread {
        isStarted.signal()
        continuation.yield(
          Result { try other.apply([.set("lastReader", Data("\"Grace\"".utf8))]) })
        continuation.finish()
      }
      isStarted.wait()
      // Long enough for a write that does not wait.
      usleep(20_000)
      edit[.fontSize] = 20
      let early = try memory.read("lastReader")
      #expect(early == nil)
      edit[.lastReader] = "Ada"
      return writing
    }
    for await result in writing { try result.get() }

    #expect(try storage.load(.lastReader) == "Grace")
    #expect(try storage.load(.fontSize) == 20)
  }

  @Test func `if the backend fails to apply an edit, all values remain unchanged`() throws {
    var storage = Storage()
    let faulty = FaultyBackend(MemoryBackend(), .apply(2))
    try storage.use(.backend(faulty), for: .preference)
    try storage.save(.dark, for: .theme)

    #expect(throws: StorageError.self) {
      try storage.edit(.preference) {
        $0[.theme] = .light
        $0[.fontSize] = 1
      }
    }
    #expect(storage[.theme] == .dark)
    #expect(storage[.fontSize] == 12)
  }
}
