import Foundation
import TestSupport
import Testing
import UndercroftCore

@Suite(.timeLimit(.hangLimit)) struct StorageValuesTests {
  @Test func `a sequence of values yields the current value and then a value for each change`()
    async throws
  {
    let storage = try library(.preference)
    try storage.save(1, for: .fontSize)
    var values = storage.values(of: .fontSize).makeAsyncIterator()
    #expect(await values.next() == 1)

    try storage.save(2, for: .fontSize)
    #expect(await values.next() == 2)

    try storage.edit(.preference) { $0[.fontSize] = 3 }
    #expect(await values.next() == 3)

    try storage.remove(.fontSize)
    #expect(await values.next() == 12)
  }

  @Test func `a sequence of values that is read slowly skips to the latest value`() async throws {
    let storage = try library(.preference)
    var values = storage.values(of: .fontSize).makeAsyncIterator()
    for size in 1...100 { try storage.save(size, for: .fontSize) }
    #expect(await values.next() == 100)
    try storage.save(101, for: .fontSize)
    #expect(await values.next() == 101)
  }

  @Test func `a sequence of a key's values yields no value for changes of other keys`() async throws
  {
    let storage = try library(.preference)
    let seen = EventCollector<Int>()
    let task = Task { for await size in storage.values(of: .fontSize) { seen.append(size) } }
    #expect(try await eventually { seen.events == [12] })

    for _ in 0..<1_000 {
      try storage.save(.dark, for: .theme)
      await Task.yield()
    }
    try storage.save(13, for: .fontSize)
    #expect(try await eventually { seen.events.last == 13 })
    #expect(seen.events == [12, 13])
    task.cancel()
  }

  @Test func `a sequence of values yields a new value after a change by another process`()
    async throws
  {
    let store = SharedStore()
    var storage = Storage()
    try storage.use(.backend(store.open()), for: .preference)
    var values = storage.values(of: .fontSize).makeAsyncIterator()
    #expect(await values.next() == 12)

    try store.open().apply([.set("fontSize", Data("20".utf8))])
    #expect(await values.next() == 20)
  }

  @MainActor
  @Test
  func `while the backend blocks, awaiting a value of a sequence does not block the main actor`()
    async throws
  {
    let bell = DispatchSemaphore(value: 0)
    let waits = EventCollector<DispatchTimeoutResult>()
    var storage = Storage()
    try storage.use(
      BackendChoice.backend(MemoryBackend()).wrapped {
        Observed($0) { waits.append(bell.wait(timeout: .hangLimit)) }
      }, for: .preference)
    let sequence = storage.values(of: .fontSize)
    let task = Task { @MainActor in
      var values = sequence.makeAsyncIterator()
      return await values.next()
    }
    Task { @MainActor in bell.signal() }

    #expect(await task.value == 12)
    #expect(waits.events == [.success])
  }

  @Test
  func `a sequence of values ends when the task that iterates over the sequence is cancelled`()
    async throws
  {
    let storage = try library(.preference)
    let seen = EventCollector<Int>()
    let task = Task { for await size in storage.values(of: .fontSize) { seen.append(size) } }
    #expect(try await eventually { seen.events == [12] })
    task.cancel()
    await task.value
    try storage.save(1, for: .fontSize)
    #expect(seen.events == [12])
  }

  @Test
  func `closing a storage ends a sequence of values with an unread change and reopens no backend`()
    async throws
  {
    let openings = EventCollector<Int>()
    let choice = BackendChoice(
      "paper", [.atomicBatches], at: URL(filePath: "/library/closed")
    ) { () throws(StorageError) in
      openings.append(1)
      return MemoryBackend()
    }
    var storage = Storage()
    try storage.use(choice, for: .preference)
    var values = storage.values(of: .fontSize).makeAsyncIterator()
    #expect(await values.next() == 12)

    try storage.save(1, for: .fontSize)
    storage.close()

    #expect(await values.next() == nil)
    #expect(openings.events == [1])
  }

  @Test
  func `if no backend is configured, a sequence of values is empty and issueHandler gets an error`()
    async
  {
    var storage = Storage()
    let issues = EventCollector<StorageError>()
    storage.issueHandler = { issues.append($0) }
    var count = 0

    for await _ in storage.values(of: .fontSize) { count += 1 }
    #expect(count == 0)
    #expect(issues.events.map(\.code) == [.unavailable])
  }

  @Test
  func `a sequence of values yields the default for an undecodable value and reports the error`()
    async throws
  {
    let memory = MemoryBackend()
    try memory.apply([.set("fontSize", Data("?".utf8))])
    var storage = Storage()
    try storage.use(.backend(memory), for: .preference)
    let issues = EventCollector<StorageError>()
    storage.issueHandler = { issues.append($0) }
    var values = storage.values(of: .fontSize).makeAsyncIterator()

    #expect(await values.next() == 12)
    #expect(issues.events.map(\.code) == [.decodingFailed])
  }
}

/// Calls a closure before every read.
private struct Observed: LayeredBackend {
  let upstream: any StorageBackend
  let willRead: @Sendable () -> Void

  init(_ upstream: any StorageBackend, willRead: @escaping @Sendable () -> Void) {
    self.upstream = upstream
    self.willRead = willRead
  }

  var upstreams: [any StorageBackend] { [upstream] }
  var name: String { upstream.name }
  var location: URL? { upstream.location }
  var capabilities: Capabilities { upstream.capabilities }

  func read(_ key: String) throws(StorageError) -> Data? {
    willRead()
    return try upstream.read(key)
  }

  func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    try upstream.keys(withPrefix: prefix)
  }

  func apply(_ changes: [StorageChange]) throws(StorageError) { try upstream.apply(changes) }
}
