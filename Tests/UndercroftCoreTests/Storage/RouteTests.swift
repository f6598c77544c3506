import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftTesting

@Suite struct RouteTests {
  @Test
  func `loading a key of a data kind without a backend throws an error that suggests use(_:for:)`()
    throws
  {
    let storage = Storage()

    let error = #expect(throws: StorageError.self) { try storage.load(.theme) }

    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("use(_, for: .preference)") == true)
  }

  @Test(arguments: [
    (DataKind.secret, "confidential", "vault"), (.preference, "atomicBatches", "settings"),
    (.blob, "streaming", "files"), (.record, "relational", "sqlite"),
  ])
  func `use(_:for:) rejects a backend without a required capability and suggests another backend`(
    kind: DataKind, capability: String, suggestion: String
  ) {
    var storage = Storage()

    let error = #expect(throws: StorageError.self) {
      try storage.use(.backend(MinimalBackend()), for: kind)
    }

    #expect(error?.code == .notSupported)
    #expect(error?.backend == "minimal")
    #expect(error?.message.contains(".\(capability)") == true)
    #expect(error?.message.contains(".\(suggestion)") == true)
    #expect(storage.routeDescriptions.isEmpty)
  }

  @Test
  func `if use(_:for:) throws for one of several data kinds, all of them retain their backends`()
    throws
  {
    var storage = try library(.document, .preference)

    #expect(throws: StorageError.self) {
      try storage.use(.backend(MinimalBackend()), for: .document, .preference)
    }
    #expect(storage.routeDescriptions.map(\.backend) == ["memory", "memory"])
  }

  @Test func `the in-memory backend accepts every data kind except records`() throws {
    var storage = Storage()

    for kind in DataKind.standardKinds where kind != .record { try storage.use(.memory, for: kind) }
    #expect(storage.routeDescriptions.count == 6)
    #expect(throws: StorageError.self) { try storage.use(.memory, for: .record) }
  }

  @Test func `routing two data kinds to one location throws unless one call routes both kinds`()
    throws
  {
    let url = URL(filePath: "/library/catalogue")
    var storage = Storage()
    try storage.use(paper(at: url), for: .document)
    let error = #expect(throws: StorageError.self) {
      try storage.use(paper(at: URL(filePath: "/library/./annexe/../catalogue")), for: .cache)
    }
    #expect(error?.code == .misuse)
    #expect(error?.message.contains("/library/catalogue") == true)
    #expect(error?.message.contains(".document") == true)

    try storage.use(paper(at: url), for: .document, .cache)
    try storage.use(paper(at: url), for: .document, .cache)
    #expect(throws: StorageError.self) { try storage.use(paper(at: url), for: .document) }
  }

  @Test func `routing two data kinds to one location through different symbolic links throws`()
    throws
  {
    let root = FileManager.default.temporaryDirectory
      .appending(path: "undercroft-routes-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    let manager = FileManager.default
    try manager.createDirectory(
      at: root.appending(path: "library/annexe"), withIntermediateDirectories: true)
    for (link, target) in [
      ("way", "library"), ("absolute", root.appending(path: "library").path),
      ("library/annexe/alias", "../catalogue"), ("chain", "way/annexe/alias"), ("circle", "circle"),
    ] {
      try manager.createSymbolicLink(
        atPath: root.appending(path: link).path, withDestinationPath: target)
    }
    let location = root.appending(path: "library/catalogue")

    // Neither the catalogue nor the shelf exists yet.
    for other in [
      "way/catalogue", "absolute/catalogue", "library/annexe/alias", "chain", "way/annexe/alias",
      "way/annexe/../catalogue", "way/./catalogue/",
    ] {
      var storage = Storage()
      try storage.use(paper(at: location), for: .document)
      let error = #expect(throws: StorageError.self, "\(other)") {
        try storage.use(paper(at: root.appending(path: other)), for: .cache)
      }
      #expect(error?.code == .misuse)
      #expect(throws: StorageError.self, "\(other)") {
        var reversed = Storage()
        try reversed.use(paper(at: root.appending(path: other)), for: .document)
        try reversed.use(paper(at: location), for: .cache)
      }
    }
    for other in ["catalogue", "way/shelf", "way", "circle", "circle/catalogue"] {
      var storage = Storage()
      try storage.use(paper(at: location), for: .document)
      try storage.use(paper(at: root.appending(path: other)), for: .cache)
    }
  }

  @Test func `routing two data kinds to one open backend in two separate calls throws`() throws {
    let memory = MemoryBackend()
    var storage = Storage()
    try storage.use(.backend(memory), for: .document)
    let error = #expect(throws: StorageError.self) {
      try storage.use(.backend(memory), for: .cache)
    }
    #expect(error?.code == .misuse)
    try storage.use(.backend(MemoryBackend()), for: .cache)
  }

  @Test func `two storages that use the same BackendChoice read each other's writes`() throws {
    let choice = BackendChoice.backend(MemoryBackend())
    var (desk, office) = (Storage(), Storage())
    try desk.use(choice, for: .preference)
    try office.use(choice, for: .preference)
    #expect(desk[.fontSize] == 12)

    try office.save(20, for: .fontSize)
    #expect(desk[.fontSize] == 20)
    #expect(try desk.gate(for: .preference) === office.gate(for: .preference))
  }

  @Test
  func `loading a value throws a misuse error if opening the backend loads from the same storage`()
    throws
  {
    let own = EventCollector<Storage>()
    let choice = BackendChoice("paper", [.atomicBatches], at: nil) { () throws(StorageError) in
      for storage in own.events { _ = try storage.load(.fontSize) }
      return MemoryBackend()
    }
    var storage = Storage()
    try storage.use(choice, for: .preference)
    own.append(storage)

    let error = #expect(throws: StorageError.self) { try storage.load(.fontSize) }

    #expect(error?.code == .misuse)
  }

  @Test(arguments: ["https://example.org/", "mailto:desk", "library/catalogue"])
  func `routing a data kind to a location that is not a file URL throws a misuse error`(
    text: String
  ) throws {
    var storage = Storage()
    let url = try #require(URL(string: text))

    let error = #expect(throws: StorageError.self) {
      try storage.use(paper(at: url), for: .document)
    }

    #expect(error?.code == .misuse)
  }

  @Test
  func
    `opening a backend throws if the backend lacks a capability that its BackendChoice declares`()
    throws
  {
    var storage = Storage()
    let choice = BackendChoice("paper", [.confidential], at: nil) { () throws(StorageError) in
      MinimalBackend()
    }
    try storage.use(choice, for: .secret)

    let error = #expect(throws: StorageError.self) { try storage.save("abc", for: .readerCard) }

    #expect(error?.code == .misuse)
    #expect(error?.message.contains("confidential") == true)
  }

  @Test func `saving a value larger than the maximum value size of the data kind throws an error`()
    throws
  {
    let key = StorageKey<String?>("note", kind: .preference, as: .string)
    var storage = try library(.preference)
    try storage.save(String(repeating: "x", count: 65_536), for: key)
    let error = #expect(throws: StorageError.self) {
      try storage.save(String(repeating: "y", count: 65_537), for: key)
    }
    #expect(error?.code == .tooLarge)
    #expect(error?.key == "note")
    #expect(try storage.load(key)?.first == "x")

    try storage.use(.memory, for: .preference.withMaximumValueSize(3))
    #expect(throws: StorageError.self) { try storage.save("four", for: key) }
    try storage.use(.memory, for: .preference.withMaximumValueSize(nil))
    try storage.save(String(repeating: "y", count: 100_000), for: key)
  }

  @Test
  func `an edit with a value above the data kind's maximum value size throws and changes nothing`()
    throws
  {
    let storage = try library(.preference)
    let key = StorageKey<String?>("note", kind: .preference)

    let error = #expect(throws: StorageError.self) {
      try storage.edit(.preference) {
        $0[.fontSize] = 20
        $0[key] = String(repeating: "x", count: 70_000)
      }
    }

    #expect(error?.code == .tooLarge)
    #expect(storage[.fontSize] == 12)
  }

  @Test func `a backend is opened once, at first use, after the storage's manifest was written`()
    throws
  {
    let events = EventCollector<String>()
    var storage = Storage(willOpen: { routes in events.append("manifest of \(routes.count)") })
    try storage.use(
      BackendChoice("paper", [.atomicBatches], at: nil) { () throws(StorageError) in
        events.append("open")
        return MemoryBackend()
      }, for: .preference, .document)
    #expect(events.events == [])

    _ = storage[.theme]
    try storage.save(Loan(book: "Emma", days: 1), for: .loan(1))
    #expect(events.events == ["manifest of 2", "open"])
  }

  @Test func `after a backend fails to open, the next call tries to open the backend again`() throws
  {
    let attempts = EventCollector<Int>()
    var storage = Storage()
    try storage.use(
      BackendChoice("paper", [], at: nil) { () throws(StorageError) in
        attempts.append(1)
        if attempts.count == 1 { throw StorageError(.locked, "cannot open the drawer") }
        return MemoryBackend()
      }, for: .document)

    let error = #expect(throws: StorageError.self) { try storage.load(.loan(1)) }

    #expect(error?.code == .locked)
    #expect(try storage.load(.loan(1)) == nil)
    #expect(attempts.count == 2)
  }

  @Test func `reading routeDescriptions of a storage opens no backend`() throws {
    var storage = Storage()
    try storage.use(paper(at: URL(filePath: "/library/papers")), for: .document, .cache, as: .json)
    try storage.use(.memory, for: .secret)
    let routes = storage.routeDescriptions

    #expect(routes.map(\.kind) == ["cache", "document", "secret"])
    #expect(routes.map(\.prefix) == ["cache/", "document/", ""])
    #expect(routes.map(\.backend) == ["paper", "paper", "memory"])
    #expect(routes.map(\.isConfidential) == [false, false, true])
    #expect(routes.map { $0.address?.url.path() } == ["/library/papers", "/library/papers", nil])
    #expect(routes.map(\.codec) == ["json", "json", "json"])
  }

  /// A backend in front of one memory that reports when it is opened and released.
  private final class Drawer: LayeredBackend {
    let upstream: MemoryBackend
    let events: EventCollector<String>

    init(_ upstream: MemoryBackend, _ events: EventCollector<String>) {
      (self.upstream, self.events) = (upstream, events)
      events.append("open")
    }

    deinit { events.append("close") }

    var upstreams: [any StorageBackend] { [upstream] }
    var name: String { "drawer" }
    var location: URL? { URL(filePath: "/library/drawer") }
    var capabilities: Capabilities { upstream.capabilities.subtracting(.streaming) }
    func read(_ key: String) throws(StorageError) -> Data? { try upstream.read(key) }
    func apply(_ changes: [StorageChange]) throws(StorageError) { try upstream.apply(changes) }
    func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
      try upstream.keys(withPrefix: prefix)
    }
  }

  @Test func `closing a storage releases its backends, and the next call opens them again`()
    async throws
  {
    let events = EventCollector<String>()
    let memory = MemoryBackend()
    var storage = Storage()
    try storage.use(
      BackendChoice(
        "drawer", [.atomicBatches, .inspectable], at: URL(filePath: "/library/drawer")
      ) { () throws(StorageError) in Drawer(memory, events) }, for: .preference)
    try storage.use(.memory, for: .document)
    let copy = storage
    storage.close()
    #expect(events.events == [])
    try storage.save(20, for: .fontSize)
    #expect(storage[.fontSize] == 20)
    try storage.save(Loan(book: "Emma", days: 1), for: .loan(1))
    var sizes = storage.values(of: .fontSize).makeAsyncIterator()
    #expect(await sizes.next() == 20)

    copy.close()
    copy.close()

    #expect(events.events == ["open", "close"])
    #expect(await sizes.next() == nil)
    #expect(storage[.fontSize] == 20)
    #expect(events.events == ["open", "close", "open"])
    #expect(try storage.load(.loan(1)) == Loan(book: "Emma", days: 1))
  }

  @Test func `closing a storage does not close a backend that the caller opened`() throws {
    let events = EventCollector<String>()
    var storage = Storage()
    try storage.use(.backend(Drawer(MemoryBackend(), events)), for: .preference)
    try storage.save(20, for: .fontSize)
    storage.close()

    #expect(storage[.fontSize] == 20)
    #expect(events.events == ["open"])
  }

  private func paper(at url: URL) -> BackendChoice {
    BackendChoice("paper", [], at: url) { () throws(StorageError) in MinimalBackend() }
  }
}
