import Foundation
import Synchronization
import Testing
import UndercroftCore
import UndercroftTesting

@Suite struct GateTests {
  private struct Veto: Error, Equatable {}

  @Test func `interceptors are called in the order in which they were added`() throws {
    let gate = Gate(MemoryBackend())
    let calls = Record<String>()
    let registrations = ["first", "second"].map { name in
      gate.intercept(
        Interceptor(
          before: { _ in calls.add("\(name) before") }, after: { _ in calls.add("\(name) after") }))
    }
    try gate.apply([.set("book", Data())])

    #expect(calls.values == ["first before", "second before", "first after", "second after"])
    #expect(registrations.count == 2)
  }

  @Test func `an interceptor receives the changes before and after they are applied`() throws {
    let memory = MemoryBackend()
    let gate = Gate(memory)
    let seen = Record<Bool>()
    let registration = gate.intercept(
      Interceptor(
        before: { write in
          guard case .changes([.set("book", Data([1])), .remove("loan")]) = write else { return }
          seen.add((try memory.read("book")) != nil)
        }, after: { _ in seen.add((try? memory.read("book")) != nil) }))
    try gate.apply([.set("book", Data([1])), .remove("loan")])

    #expect(seen.values == [false, true])
    withExtendedLifetime(registration) {}
  }

  @Test func `an interceptor's error stops the write and reaches the caller unchanged`() throws {
    let storage = try library(.preference)
    try storage.save(13, for: .fontSize)
    let afters = Record<Int>()
    let veto = try storage.intercept(
      .preference, before: { _ in throw Veto() }, after: { _ in afters.add(1) })
    #expect(throws: Veto.self) { try storage.save(1, for: .fontSize) }
    #expect(throws: Veto.self) { try storage.remove(.fontSize) }
    #expect(throws: Veto.self) { try storage.edit(.preference) { $0[.fontSize] = 2 } }
    #expect(throws: Veto.self) { try storage.removeAll(of: .preference) }
    #expect(storage[.fontSize] == 13)
    #expect(afters.values == [])
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

  @Test func `writing in a before-interceptor throws a misuse error instead of deadlocking`() throws
  {
    let gate = Gate(MemoryBackend())
    let codes = Record<StorageError.Code>()
    let registration = gate.intercept(
      Interceptor(before: { _ in
        do { try gate.apply([.set("nested", Data())]) } catch let error as StorageError {
          codes.add(error.code)
        }
      }))
    try gate.apply([.set("book", Data())])

    #expect(codes.values == [.misuse])
    #expect(try gate.backend.keys(withPrefix: "") == ["book"])
    registration.cancel()
  }

  @Test func `an after-interceptor may write`() throws {
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
  func `observers are notified after a successful write to their names, not after a failed one`()
    throws
  {
    let gate = Gate(FaultyBackend(MemoryBackend(), .apply(3)))
    let heard = Record<String>()
    let book = try gate.observe(["book"]) { heard.add("book") }
    let all = try gate.observe { heard.add("any") }
    try gate.apply([.set("book", Data())])
    try gate.apply([.set("loan", Data())])
    #expect(heard.values == ["book", "any", "any"])
    #expect(throws: StorageError.self) { try gate.apply([.set("book", Data([1]))]) }
    #expect(heard.values.count == 3)
    book.cancel()
    try gate.apply([.set("book", Data())])
    #expect(heard.values == ["book", "any", "any", "any"])
    all.cancel()
  }

  @Test
  func `an observer that writes repeatedly neither overflows the stack nor blocks the writer`()
    async throws
  {
    let gate = Gate(MemoryBackend())
    let calls = Record<Int>()
    let registration = try gate.observe(["book"]) {
      calls.add(1)
      if calls.values.count < 20_000 { try? gate.apply([.set("book", Data())]) }
    }

    try gate.apply([.set("book", Data())])

    #expect(try await eventually { calls.values.count == 20_000 })
    registration.cancel()
  }

  @Test func `observers of two gates that write into each other's gate do not overflow the stack`()
    async throws
  {
    let gates = [Gate(MemoryBackend()), Gate(MemoryBackend())]
    let calls = Record<Int>()
    let registrations = try gates.indices.map { index in
      try gates[index].observe {
        calls.add(1)
        if calls.values.count < 20_000 { try? gates[1 - index].apply([.set("book", Data())]) }
      }
    }

    try gates[0].apply([.set("book", Data())])

    #expect(try await eventually { calls.values.count == 20_000 })
    for registration in registrations { registration.cancel() }
  }

  @Test func `an interceptor that writes after each write does not overflow the stack`()
    async throws
  {
    let gate = Gate(MemoryBackend())
    let writes = Record<Int>()
    let registration = gate.intercept(
      Interceptor(after: { _ in
        writes.add(1)
        if writes.values.count < 20_000 { try? gate.apply([.set("log", Data())]) }
      }))

    try gate.apply([.set("book", Data())])

    #expect(try await eventually { writes.values.count == 20_000 })
    registration.cancel()
  }

  @Test
  func `writes made by an observer are announced after the observer returns, once for each name`()
    async throws
  {
    let gate = Gate(MemoryBackend())
    let events = Record<String>()
    let book = try gate.observe(["book"]) {
      events.add("book begins")
      for round in 0..<3 { try? gate.apply([.set("log", Data([UInt8(round)]))]) }
      try? gate.apply([.set("shelf", Data())])
      events.add("book ends")
    }
    let log = try gate.observe(["log"]) { events.add("log") }
    let shelf = try gate.observe(["shelf"]) { events.add("shelf") }
    let reader = try gate.observe(["reader"]) { events.add("reader") }

    try gate.apply([.set("book", Data())])

    #expect(try await eventually { events.values.count >= 4 })
    #expect(events.values == ["book begins", "book ends", "log", "shelf"])
    for registration in [book, log, shelf, reader] { registration.cancel() }
  }

  @Test func `writes of several threads are announced one at a time and without loss`()
    async throws
  {
    let gate = Gate(MemoryBackend())
    let inside = Record<Int>()
    let overlaps = Record<Int>()
    let isInside = Atomic<Bool>(false)
    let seen = Record<String>()
    let registration = gate.intercept(
      Interceptor(after: { write in
        if isInside.exchange(true, ordering: .sequentiallyConsistent) { overlaps.add(1) }
        for name in write.names { seen.add(name) }
        inside.add(1)
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

    #expect(try await eventually { inside.values.count == 1_600 })
    #expect(overlaps.values.isEmpty)
    #expect(Set(seen.values).count == 1_600)
    for writer in 0..<8 {
      let numbers = seen.values.compactMap { name in
        name.hasPrefix("\(writer)/") ? Int(name.dropFirst(2)) : nil
      }
      #expect(numbers == Array(0..<200))
    }
    registration.cancel()
  }

  @Test func `a change by another process notifies every observer`() throws {
    let store = SharedStore()
    let gate = Gate(store.open())
    let heard = Record<String>()
    let registration = try gate.observe(["book"]) { heard.add("book") }
    try store.open().apply([.set("loan", Data())])

    #expect(heard.values == ["book"])
    registration.cancel()
  }

  @Test func `edits of several threads exclude each other`() async throws {
    let gate = Gate(MemoryBackend())
    let inside = Record<Int>()
    let registration = gate.intercept(Interceptor(before: { _ in inside.add(1) }))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<50 {
        group.addTask {
          try gate.edit { changes in
            let before = inside.values.count
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

  @Test func `an observer can be registered while the gate begins to watch other processes`() throws
  {
    let backend = Calling()
    let gate = Gate(backend)
    let told = Record<String>()
    let inner = Record<Registration>()
    backend.onWatch.withLock {
      $0 = {
        do { inner.add(try gate.observe { told.add("inner") }) } catch { Issue.record(error) }
      }
    }

    let outer = try gate.observe { told.add("outer") }
    try gate.apply([.set("book", Data())])

    #expect(told.values.sorted() == ["inner", "outer"])
    withExtendedLifetime((outer, inner)) {}
  }
}
