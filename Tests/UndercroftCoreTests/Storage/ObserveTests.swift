import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore

/// Tests of the observers of a storage, which receive the old and the new values of keys.
@Suite(.timeLimit(.hangLimit)) struct ObserveTests {
  @Test func `an observer receives the old and the new value of every change`() throws {
    var storage = Storage()
    try storage.use(.memory, for: .preference, .document)
    try storage.save(10, for: .fontSize)
    let sizes = EventCollector<[Int]>()
    let registration = try storage.observe(.fontSize) { old, new in sizes.append([old, new]) }

    try storage.save(11, for: .fontSize)
    try storage.edit(.preference) { $0[.fontSize] += 1 }
    try storage.save(.dark, for: .theme)
    try storage.remove(.fontSize)

    #expect(sizes.events == [[10, 11], [11, 12], [12, 12]])
    registration.cancel()
    try storage.save(13, for: .fontSize)
    #expect(sizes.count == 3)
  }

  @Test func `saving the stored value again notifies no observer`() throws {
    let storage = try library(.preference)
    let calls = EventCollector<Theme>()
    let registration = try storage.observe(.theme) { _, new in calls.append(new) }

    try storage.save(.dark, for: .theme)
    try storage.save(.dark, for: .theme)
    #expect(throws: (any Error).self) {
      try storage.edit(.preference) {
        $0[.theme] = .light
        throw CancellationError()
      }
    }

    #expect(calls.events == [.dark])
    registration.cancel()
  }

  @Test func `an observer of several keys is called once for an edit that changes them`() throws {
    let storage = try library(.preference)
    let calls = EventCollector<String>()
    let registration = try storage.observe(.theme, .fontSize, .lastReader) { theme, size, reader in
      calls.append(
        "\(theme.old) → \(theme.new), \(size.old) → \(size.new), \(reader.new ?? "nobody")")
    }

    try storage.edit(.preference) {
      $0[.theme] = .dark
      $0[.fontSize] = 20
    }
    try storage.save("Ada", for: .lastReader)

    #expect(
      calls.events == [
        "system → dark, 12 → 20, nobody", "dark → dark, 20 → 20, Ada",
      ])
    registration.cancel()
  }

  @Test func `observing keys of several data kinds with one observer throws an error`() throws {
    let storage = try library(.preference, .secret)

    let error = #expect(throws: StorageError.self) {
      _ = try storage.observe(.theme, .readerCard) { _, _ in }
    }

    #expect(error?.code == .misuse)
    #expect(error?.key == "readerCard")
  }

  @Test
  func `an observer of a data kind is called for changes in that kind but not in another kind`()
    throws
  {
    var storage = Storage()
    try storage.use(.memory, for: .preference, .document)
    let calls = EventCollector<String>()
    let registration = try storage.observeAll(of: .document) { calls.append("document") }

    try storage.save(.dark, for: .theme)
    #expect(calls.events == [])
    try storage.save(Loan(book: "Dune", days: 14), for: .loan(1))
    try storage.removeAll(of: .document)

    #expect(calls.events == ["document", "document"])
    registration.cancel()
  }

  @Test func `an observer receives the old and the new value of a change by another process`()
    throws
  {
    let store = SharedStore()
    var storage = Storage()
    try storage.use(.backend(store.open()), for: .preference)
    let sizes = EventCollector<[Int]>()
    let registration = try storage.observe(.fontSize) { old, new in sizes.append([old, new]) }

    try store.open().apply([.set("fontSize", Data("20".utf8))])
    try store.open().apply([.set("theme", Data(#""dark""#.utf8))])

    #expect(sizes.events == [[12, 20]])
    registration.cancel()
  }

  @Test func `an observer is not called for a change of a value that an override hides`()
    async throws
  {
    let arguments = MemoryBackend()
    var (volatile, storage) = (Storage(), Storage())
    try volatile.use(.backend(arguments), for: .preference)
    try storage.use(.memory.searching(overrides: [arguments]), for: .preference)
    let sizes = EventCollector<[Int]>()
    let registration = try storage.observe(.fontSize) { old, new in sizes.append([old, new]) }

    try volatile.save(20, for: .fontSize)
    #expect(try await eventually { sizes.count == 1 })
    try storage.save(10, for: .fontSize)
    try volatile.remove(.fontSize)

    #expect(try await eventually { sizes.count == 2 })
    #expect(sizes.events == [[12, 20], [20, 10]])
    registration.cancel()
  }

  @Test func `an observer that saves a new value of the observed key is notified of each save`()
    async throws
  {
    let storage = try library(.preference)
    let sizes = EventCollector<[Int]>()
    let registration = try storage.observe(.fontSize) { old, new in
      sizes.append([old, new])
      if new < 15 { try? storage.save(new + 1, for: .fontSize) }
    }

    try storage.save(13, for: .fontSize)

    #expect(try await eventually { sizes.count == 3 })
    #expect(sizes.events == [[12, 13], [13, 14], [14, 15]])
    registration.cancel()
  }

  @Test
  func `an observer of an undecodable value gets the default, and issueHandler gets the error`()
    throws
  {
    let memory = MemoryBackend()
    var storage = Storage()
    let issues = EventCollector<StorageError.Code>()
    storage.issueHandler = { issues.append($0.code) }
    try storage.use(.backend(memory), for: .preference)
    try storage.save(20, for: .fontSize)
    let sizes = EventCollector<[Int]>()
    let registration = try storage.observe(.fontSize) { old, new in sizes.append([old, new]) }

    let text = StorageKey<String>("fontSize", kind: .preference, default: "")
    try storage.save("huge", for: text)

    #expect(sizes.events == [[20, 12]])
    #expect(issues.events == [.decodingFailed])
    registration.cancel()
  }

  /// A backend in memory that calls a closure before its first read.
  private final class Interrupting: StorageBackend, Sendable {
    private let memory = MemoryBackend()
    let onRead = Mutex<(@Sendable () -> Void)?>(nil)

    var name: String { memory.name }
    var location: URL? { nil }
    var capabilities: Capabilities { [.atomicBatches] }
    func read(_ key: String) throws(StorageError) -> Data? {
      let bytes = try memory.read(key)
      let action = onRead.withLock { $0.take() }
      action?()
      return bytes
    }
    func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
      try memory.keys(withPrefix: prefix)
    }
    func apply(_ changes: [StorageChange]) throws(StorageError) { try memory.apply(changes) }
  }

  @Test
  func `if a value changes while an observer is being registered, the observer is notified`()
    async throws
  {
    let backend = Interrupting()
    var storage = Storage()
    try storage.use(.backend(backend), for: .preference)
    let writer = storage
    // The first read of the observer returns the value before this write.
    backend.onRead.withLock {
      $0 = { do { try writer.save(20, for: .fontSize) } catch { Issue.record(error) } }
    }
    let sizes = EventCollector<[Int]>()

    let registration = try storage.observe(.fontSize) { old, new in sizes.append([old, new]) }

    #expect(try await eventually { sizes.events == [[12, 20]] })
    registration.cancel()
  }

  @Test func `a registered observer does not prevent its storage from closing the backend`() throws
  {
    let openings = EventCollector<Int>()
    let isOpen = Mutex<[WeakBackend]>([])
    let choice = BackendChoice("paper", [.atomicBatches], at: URL(filePath: "/library/observed")) {
      () throws(StorageError) in
      openings.append(1)
      let memory = MemoryBackend()
      isOpen.withLock { $0.append(WeakBackend(memory)) }
      return memory
    }
    var registration: Registration?
    do {
      var storage = Storage()
      try storage.use(choice, for: .preference)
      registration = try storage.observe(.fontSize) { _, _ in }
      #expect(isOpen.withLock { $0.first?.backend } != nil)
    }

    #expect(isOpen.withLock { $0.first?.backend } == nil)
    #expect(openings.events == [1])
    registration?.cancel()
  }

  private struct WeakBackend: Sendable {
    weak let backend: MemoryBackend?
    init(_ backend: MemoryBackend) { self.backend = backend }
  }
}
