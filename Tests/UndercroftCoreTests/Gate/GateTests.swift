import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftTesting

@Suite struct GateTests {
  private struct Veto: Error, Equatable {}

  @Test func `interceptors are called in the order in which they were added`() throws {
    let gate = Gate(MemoryBackend())
    let calls = EventCollector<String>()
    let registrations = ["first", "second"].map { name in
      gate.intercept(
        Interceptor(
          before: { _ in calls.append("\(name) before") },
          after: { _ in calls.append("\(name) after") }))
    }
    try gate.apply([.set("book", Data())])

    #expect(calls.events == ["first before", "second before", "first after", "second after"])
    #expect(registrations.count == 2)
  }

  @Test func `an interceptor is called before and after the changes of a write are applied`() throws
  {
    let memory = MemoryBackend()
    let gate = Gate(memory)
    let seen = EventCollector<Bool>()
    let registration = gate.intercept(
      Interceptor(
        before: { write in
          guard case .changes([.set("book", Data([1])), .remove("loan")]) = write else { return }
          seen.append((try memory.read("book")) != nil)
        }, after: { _ in seen.append((try? memory.read("book")) != nil) }))
    try gate.apply([.set("book", Data([1])), .remove("loan")])

    #expect(seen.events == [false, true])
    withExtendedLifetime(registration) {}
  }

  @Test func `an interceptor's error stops the write and reaches the caller unchanged`() throws {
    let storage = try library(.preference)
    try storage.save(13, for: .fontSize)
    let afters = EventCollector<Int>()
    let veto = try storage.intercept(
      .preference, before: { _ in throw Veto() }, after: { _ in afters.append(1) })
    #expect(throws: Veto.self) { try storage.save(1, for: .fontSize) }
    #expect(throws: Veto.self) { try storage.remove(.fontSize) }
    #expect(throws: Veto.self) { try storage.edit(.preference) { $0[.fontSize] = 2 } }
    #expect(throws: Veto.self) { try storage.removeAll(of: .preference) }
    #expect(storage[.fontSize] == 13)
    #expect(afters.events == [])
    veto.cancel()
    veto.cancel()
    try storage.save(1, for: .fontSize)
    #expect(storage[.fontSize] == 1)
  }

  @Test func `releasing a registration removes its interceptor`() throws {
    let gate = Gate(MemoryBackend())
    do { _ = gate.intercept(Interceptor(before: { _ in throw Veto() })) }
    try gate.apply([.set("book", Data())])

    #expect(try gate.backend.read("book") == Data())
  }

  @Test
  func
    `a write inside an interceptor's before closure throws a misuse error and does not deadlock`()
    throws
  {
    let gate = Gate(MemoryBackend())
    let codes = EventCollector<StorageError.Code>()
    let registration = gate.intercept(
      Interceptor(before: { _ in
        do { try gate.apply([.set("nested", Data())]) } catch let error as StorageError {
          codes.append(error.code)
        }
      }))
    try gate.apply([.set("book", Data())])

    #expect(codes.events == [.misuse])
    #expect(try gate.backend.keys(withPrefix: "") == ["book"])
    registration.cancel()
  }

  @Test func `an interceptor called after a write can write to the same backend`() throws {
    let gate = Gate(MemoryBackend())
    let registration = gate.intercept(
      Interceptor(after: { write in
        if write.names == ["book"] { try? gate.apply([.set("log", Data())]) }
      }))
    try gate.apply([.set("book", Data())])

    #expect(try gate.backend.keys(withPrefix: "") == ["book", "log"])
    registration.cancel()
  }

  @Test
  func `observers of a key are notified after a successful write and not after a failed write`()
    throws
  {
    let gate = Gate(FaultyBackend(MemoryBackend(), .apply(3)))
    let heard = EventCollector<String>()
    let book = try gate.observe(["book"]) { heard.append("book") }
    let all = try gate.observe { heard.append("any") }
    try gate.apply([.set("book", Data())])
    try gate.apply([.set("loan", Data())])
    #expect(heard.events == ["book", "any", "any"])
    #expect(throws: StorageError.self) { try gate.apply([.set("book", Data([1]))]) }
    #expect(heard.count == 3)
    book.cancel()
    try gate.apply([.set("book", Data())])
    #expect(heard.events == ["book", "any", "any", "any"])
    all.cancel()
  }

  @Test
  func `an observer that writes repeatedly neither overflows the stack nor blocks the writer`()
    async throws
  {
    let gate = Gate(MemoryBackend())
    let calls = EventCollector<Int>()
    let registration = try gate.observe(["book"]) {
      calls.append(1)
      if calls.count < 20_000 { try? gate.apply([.set("book", Data())]) }
    }

    try gate.apply([.set("book", Data())])

    #expect(try await eventually { calls.count == 20_000 })
    registration.cancel()
  }

  @Test
  func `two observers that each write to the other's backend do not overflow the stack`()
    async throws
  {
    let gates = [Gate(MemoryBackend()), Gate(MemoryBackend())]
    let calls = EventCollector<Int>()
    let registrations = try gates.indices.map { index in
      try gates[index].observe {
        calls.append(1)
        if calls.count < 20_000 { try? gates[1 - index].apply([.set("book", Data())]) }
      }
    }

    try gates[0].apply([.set("book", Data())])

    #expect(try await eventually { calls.count == 20_000 })
    for registration in registrations { registration.cancel() }
  }

  @Test func `an interceptor that writes after each write does not overflow the stack`()
    async throws
  {
    let gate = Gate(MemoryBackend())
    let writes = EventCollector<Int>()
    let registration = gate.intercept(
      Interceptor(after: { _ in
        writes.append(1)
        if writes.count < 20_000 { try? gate.apply([.set("log", Data())]) }
      }))

    try gate.apply([.set("book", Data())])

    #expect(try await eventually { writes.count == 20_000 })
    registration.cancel()
  }

  @Test
  func `an observer of a key runs once after another observer has written that key several times`()
    async throws
  {
    let gate = Gate(MemoryBackend())
    let events = EventCollector<String>()
    let book = try gate.observe(["book"]) {
      events.append("book begins")
      for round in 0..<3 { try? gate.apply([.set("log", Data([UInt8(round)]))]) }
      try? gate.apply([.set("shelf", Data())])
      events.append("book ends")
    }
    let log = try gate.observe(["log"]) { events.append("log") }
    let shelf = try gate.observe(["shelf"]) { events.append("shelf") }
    let reader = try gate.observe(["reader"]) { events.append("reader") }

    try gate.apply([.set("book", Data())])

    #expect(try await eventually { events.count >= 4 })
    #expect(events.events == ["book begins", "book ends", "log", "shelf"])
    for registration in [book, log, shelf, reader] { registration.cancel() }
  }

  @Test
  func `with concurrent writers, an interceptor's after closure runs serially, once per write`()
    async throws
  {
    let gate = Gate(MemoryBackend())
    let inside = EventCollector<Int>()
    let overlaps = EventCollector<Int>()
    let isInside = Atomic<Bool>(false)
    let seen = EventCollector<String>()
    let registration = gate.intercept(
      Interceptor(after: { write in
        if isInside.exchange(true, ordering: .sequentiallyConsistent) { overlaps.append(1) }
        for name in write.names { seen.append(name) }
        inside.append(1)
        // Gives other threads time to enter as well, if nothing excludes them.
        usleep(20)
        isInside.store(false, ordering: .sequentiallyConsistent)
      }))

    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          try await blocking {
            for number in 0..<200 { try gate.apply([.set("\(writer)/\(number)", Data())]) }
          }
        }
      }
      try await group.waitForAll()
    }

    #expect(try await eventually { inside.count == 1_600 })
    #expect(overlaps.events.isEmpty)
    #expect(Set(seen.events).count == 1_600)
    for writer in 0..<8 {
      let numbers = seen.events.compactMap { name in
        name.hasPrefix("\(writer)/") ? Int(name.dropFirst(2)) : nil
      }
      #expect(numbers == Array(0..<200))
    }
    registration.cancel()
  }

  @Test func `a change of one key by another process notifies the observers of all keys`() throws {
    let store = SharedStore()
    let gate = Gate(store.open())
    let heard = EventCollector<String>()
    let registration = try gate.observe(["book"]) { heard.append("book") }
    try store.open().apply([.set("loan", Data())])

    #expect(heard.events == ["book"])
    registration.cancel()
  }

  @Test func `edits of several threads run one after another, even on different keys`() async throws
  {
    let gate = Gate(MemoryBackend())
    let inside = EventCollector<Int>()
    let registration = gate.intercept(Interceptor(before: { _ in inside.append(1) }))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<50 {
        group.addTask {
          try gate.edit { changes in
            let before = inside.count
            changes = [.set("\(writer)", Data("\(before)".utf8))]
          }
        }
      }
      try await group.waitForAll()
    }
    // Each edit counted a different number of writes: none ran between its read and its write.
    let seen = try gate.backend.keys(withPrefix: "").compactMap { try gate.backend.read($0) }

    #expect(Set(seen).count == 50)
    registration.cancel()
  }

  /// A shared backend that calls the application while it creates a watch.
  private final class Calling: SharedBackend {
    private let inner = SharedStore().open()
    let onWatch = Mutex<(@Sendable () -> Void)?>(nil)

    var name: String { inner.name }
    var location: URL? { inner.location }
    var capabilities: Capabilities { inner.capabilities }
    func read(_ key: String) throws(StorageError) -> Data? { try inner.read(key) }
    func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
      try inner.keys(withPrefix: prefix)
    }
    func apply(_ changes: [StorageChange]) throws(StorageError) { try inner.apply(changes) }
    func externalChangeCount() -> UInt64 { inner.externalChangeCount() }
    func watchExternalChanges(_ handler: @escaping @Sendable () -> Void) throws(StorageError)
      -> any ExternalWatch
    {
      let action = onWatch.withLock { $0.take() }
      action?()
      return try inner.watchExternalChanges(handler)
    }
  }

  @Test func `an observer can be registered while the watch for external changes is starting`()
    throws
  {
    let backend = Calling()
    let gate = Gate(backend)
    let notified = EventCollector<String>()
    let inner = EventCollector<Registration>()
    backend.onWatch.withLock {
      $0 = {
        do { inner.append(try gate.observe { notified.append("inner") }) } catch {
          Issue.record(error)
        }
      }
    }

    let outer = try gate.observe { notified.append("outer") }
    try gate.apply([.set("book", Data())])

    #expect(notified.events.sorted() == ["inner", "outer"])
    withExtendedLifetime((outer, inner)) {}
  }
}
