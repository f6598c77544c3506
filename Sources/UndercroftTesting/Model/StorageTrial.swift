import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// One run of a ``StorageModelCheck``: the storage, the dictionaries, and a log of the calls.
struct StorageTrial {
  private struct Refusal: Error {}

  private static let names = (0..<8).map { "shelf/\($0)" } + ["Ærø", "a b", "%"]

  private let storage: Storage
  /// A second storage on the same store, or `nil` if the store is not shared.
  private let second: Storage?
  private let overrides: MemoryBackend
  private let fallbacks: MemoryBackend
  private let hasLayers: Bool
  private let codec: any Codec
  private let calls = Calls()
  private var registration: Registration?
  private var random: SeededGenerator
  /// The expected values in the store under test, keyed by name.
  ///
  /// ``overriding`` contains the expected values in the backend that a search list reads before the
  /// store. ``falling`` contains the expected values in the backend that it reads after the store.
  private var stored: [String: Int] = [:]
  private var overriding: [String: Int] = [:]
  private var falling: [String: Int] = [:]
  let backendName: String
  private(set) var log: [String] = []

  /// A thread-safe counter of the change notifications that an observer has received, with one
  /// count for each name.
  private final class Calls: Sendable {
    private let counts = Mutex<[String: Int]>([:])
    func count(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }
    func total(_ name: String) -> Int { counts.withLock { $0[name] ?? 0 } }
  }

  init(_ shape: StorageModelCheck.Shape, _ choice: BackendChoice, seed: UInt64) throws {
    let (first, last) = (MemoryBackend(), MemoryBackend())
    let layered =
      switch shape {
      case .plain: choice
      case .namespaced: choice.namespaced("loans")
      case .searching: choice.searching(overrides: [first], fallbacks: [last])
      }
    (overrides, fallbacks) = (first, last)
    hasLayers = shape == .searching
    random = SeededGenerator(seed: seed)
    backendName = choice.name
    func storage() throws -> Storage {
      var storage = Storage()
      try storage.use(layered, for: .preference)
      return storage
    }
    self.storage = try storage()
    codec = choice.codec ?? JSONCodec()
    let isShared = choice.url != nil && choice.capabilities.contains(.sharedAcrossProcesses)
    second = try isShared ? storage() : nil
    try observe()
  }

  private func key(_ name: String) -> StorageKey<Int> {
    StorageKey(name, kind: .preference, default: -1)
  }

  private mutating func name() -> String { Self.names.randomElement(using: &random) ?? "" }

  private mutating func number() -> Int { Int.random(in: 0..<1_000_000, using: &random) }

  private func wanted(_ name: String) -> Int {
    overriding[name] ?? stored[name] ?? falling[name] ?? -1
  }

  // MARK: Calls

  mutating func step() throws {
    let name = name()
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<25: try save(name)
    case 25..<35: try remove(name)
    case 35..<55: try edit(in: storage, isOwn: true)
    case 55..<60: try failingEdit()
    case 60..<70: try compare(name)
    case 70..<75: try compareAll()
    case 75..<80 where hasLayers: try writeBehind(name)
    case 80..<90: if let second { try edit(in: second, isOwn: false) }
    case 90..<93: try removeAll()
    case 93..<96: try reopen()
    default: try load(name)
    }
  }

  private mutating func save(_ name: String) throws {
    let number = number()
    log.append("save \(number) for \(quoted(name))")
    let count = calls.total(name)
    try storage.save(number, for: key(name))
    stored[name] = number
    // Observers are notified before `save` returns,
    // unless they are being notified of another change.
    let deadline = ContinuousClock.now + .seconds(60)
    while calls.total(name) == count {
      try expect(
        ContinuousClock.now < deadline, "no observer was notified of the save of \(quoted(name))")
      usleep(1_000)
    }
    try compare(name)
  }

  private mutating func remove(_ name: String) throws {
    log.append("remove \(quoted(name))")
    try storage.remove(key(name))
    stored[name] = nil
    try compare(name)
  }

  /// Edits several values in `storage`, and verifies that each read within the edit returns the
  /// last write, including writes of the other storage.
  ///
  /// - Parameters:
  ///   - storage: the storage that makes the edit.
  ///   - isOwn: whether `storage` is the storage under test. If `false`, waits until the changes
  ///     are visible in the storage under test.
  private mutating func edit(in storage: Storage, isOwn: Bool) throws {
    var changes: [(String, Int)] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) { changes.append((name(), number())) }
    log.append("edit \(changes.map { quoted($0.0) })\(isOwn ? "" : " in another storage")")
    try storage.edit(.preference) { edit in
      for (name, number) in changes {
        let found = try edit.load(key(name))
        try expect(
          found == wanted(name), "an edit reads \(found) for \(quoted(name)), not \(wanted(name))")
        if number.isMultiple(of: 4) {
          try edit.remove(key(name))
          stored[name] = nil
        } else {
          edit[key(name)] = number
          stored[name] = number
        }
      }
    }
    for (name, _) in changes where !isOwn { try waitForChange(of: name) }
    for (name, _) in changes { try compare(name) }
  }

  /// Waits until the storage under test returns the value of `name` that the second storage has
  /// written.
  ///
  /// If another process writes, reads outside an edit may return values that are some milliseconds
  /// old, but reads within an edit must return the present values.
  private func waitForChange(of name: String) throws {
    let wanted = wanted(name)
    let found = try storage.edit(.preference) { try $0.load(key(name)) }
    try expect(found == wanted, "an edit reads \(found) for \(quoted(name)), not \(wanted)")
    let deadline = ContinuousClock.now + .seconds(60)
    while try storage[key(name)] != wanted || storage.load(key(name)) != wanted {
      try expect(ContinuousClock.now < deadline, "\(quoted(name)) never becomes \(wanted)")
      usleep(1_000)
    }
  }

  private mutating func failingEdit() throws {
    let changes = [(name(), number()), (name(), number())]
    log.append("an edit that fails")
    do {
      try storage.edit(.preference) { edit in
        for (name, number) in changes { edit[key(name)] = number }
        throw Refusal()
      }
    } catch is Refusal {}
    for (name, _) in changes { try compare(name) }
  }

  private mutating func removeAll() throws {
    log.append("remove all")
    // `removeAll` also lists the names in overrides and
    // fallbacks, but does not remove the values there.
    try storage.removeAll(of: .preference)
    stored = [:]
    try compareAll()
  }

  /// Writes a value directly to a backend that a search list reads before or after the store,
  /// bypassing the storage.
  private mutating func writeBehind(_ name: String) throws {
    let isOverride = Bool.random(using: &random)
    let number = Bool.random(using: &random) ? number() : nil
    let change = try number.map { .set(name, try codec.encode($0)) } ?? StorageChange.remove(name)
    log.append("write \(quoted(name)) to the \(isOverride ? "overrides" : "fallbacks")")
    try (isOverride ? overrides : fallbacks).apply([change])
    if isOverride { overriding[name] = number } else { falling[name] = number }
    try compare(name)
  }

  private mutating func reopen() throws {
    log.append("close")
    registration = nil
    storage.close()
    try observe()
    try compareAll()
  }

  private mutating func observe() throws {
    let calls = calls
    let gate = try storage.gate(for: .preference)
    let registrations = try Self.names.map { name in
      try gate.observe([name]) { calls.count(name) }
    }
    registration = Registration { for registration in registrations { registration.cancel() } }
  }

  // MARK: Comparing

  private mutating func load(_ name: String) throws {
    let found = try storage.load(key(name))
    try expect(found == wanted(name), "\(quoted(name)) loads as \(found), not \(wanted(name))")
  }

  private func compare(_ name: String) throws {
    let wanted = wanted(name)
    let found = try storage.load(key(name))
    try expect(found == wanted, "\(quoted(name)) loads as \(found), not \(wanted)")
    let shown = storage[key(name)]
    try expect(shown == wanted, "the subscript shows \(shown) for \(quoted(name)), not \(wanted)")
    let isThere = try storage.contains(key(name))
    try expect(isThere == (wanted >= 0), "contains returned \(isThere) for \(quoted(name))")
  }

  private func compareAll() throws {
    for name in Self.names { try compare(name) }
    let names = Set(stored.keys).union(overriding.keys).union(falling.keys)
    for prefix in ["", "shelf/", "a"] {
      let wanted = names.filter { $0.utf8.starts(with: prefix.utf8) }.sorted()
      let found = try storage.names(of: .preference, withPrefix: prefix)
      try expect(found == wanted, "the keys are \(found), not \(wanted)")
    }
  }

  private func expect(_ condition: Bool, _ reason: @autoclosure () -> String) throws {
    if !condition { throw ConformanceFailure(reason()) }
  }
}
