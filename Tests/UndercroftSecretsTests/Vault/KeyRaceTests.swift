import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftFiles
import UndercroftKeyValue
import UndercroftSecrets

/// Tests of concurrent instances of one new store with different keys.
@Suite struct KeyRaceTests {
  /// An in-memory store that another instance initializes while this instance finds it empty.
  private final class RacedBackend: StorageBackend, ExclusiveAccessBackend {
    private let memory = MemoryBackend()
    private let race: Mutex<(@Sendable (MemoryBackend) throws -> Void)?>

    init(_ race: @escaping @Sendable (MemoryBackend) throws -> Void) { self.race = Mutex(race) }

    var name: String { memory.name }
    var location: URL? { nil }
    var capabilities: Capabilities { memory.capabilities.subtracting(.streaming) }
    func read(_ key: String) throws(StorageError) -> Data? { try memory.read(key) }
    func apply(_ changes: [StorageChange]) throws(StorageError) { try memory.apply(changes) }

    func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
      let names = try memory.keys(withPrefix: prefix)
      let other = race.withLock { race in
        defer { race = nil }
        return race
      }
      try? other?(memory)
      return names
    }

    func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
      try memory.withExclusiveAccess(body)
    }
  }

  private static func key(_ number: UInt8) -> EncryptionKey {
    .bytes(Data(repeating: number, count: 32))
  }

  @Test
  func `a store just initialized by another EncryptedBackend cannot be opened with another key`()
    throws
  {
    let backend = RacedBackend { memory in
      try EncryptedBackend(memory, key: Self.key(1)).apply([.set("token", Data("abc".utf8))])
    }

    let error = #expect(throws: StorageError.self) {
      try EncryptedBackend(backend, key: Self.key(2))
    }

    #expect(error?.code == .wrongKey)
    #expect(try EncryptedBackend(backend, key: Self.key(1)).read("token") == Data("abc".utf8))
  }

  enum Store: CaseIterable, Sendable {
    case vault, settings, files

    /// Opens a store with one of two keys.
    func open(in directory: URL, _ key: Int) throws -> any StorageBackend {
      let location = directory.appending(path: "store")
      let bytes = KeyRaceTests.key(UInt8(key))
      switch self {
      case .vault:
        return try VaultBackend(
          at: location, unlockedBy: .passphrase("open \(key)", logRounds: 4),
          lockTimeout: .hangLimit)
      case .settings:
        return try EncryptedBackend(
          JournalledBackend(at: location, lockTimeout: .hangLimit), key: bytes)
      case .files:
        return try EncryptedBackend(FileBackend(in: location), key: bytes)
      }
    }
  }

  @Test(arguments: Store.allCases)
  func `if two backends create one store with different keys, exactly one of them throws wrongKey`(
    store: Store
  ) throws {
    for round in 0..<30 {
      try withTemporaryDirectory { directory in
        let results = Mutex<[Int: Result<Void, any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: 2) { key in
          let result = Result {
            try store.open(in: directory, key).apply([.set("token", Data("abc".utf8))])
          }
          results.withLock { $0[key] = result }
        }
        let found = results.withLock { $0 }
        let winners = found.keys.filter { (try? found[$0]?.get()) != nil }

        let winner = try #require(winners.count == 1 ? winners.first : nil, "round \(round)")
        #expect(throws: StorageError.self) { try found[1 - winner]?.get() }
        for key in 0...1 {
          if key == winner {
            let token = try store.open(in: directory, key).read("token")
            #expect(token == Data("abc".utf8), "round \(round)")
          } else {
            let error = #expect(throws: StorageError.self) { try store.open(in: directory, key) }
            #expect(error?.code == .wrongKey, "round \(round)")
          }
        }
        if case .failure(let error) = found[1 - winner] {
          #expect((error as? StorageError)?.code == .wrongKey, "round \(round): \(error)")
        }
      }
    }
  }

  @Test(arguments: ["vault.key\0.txt", ""])
  func `a key file at a URL without a valid path is refused, and no file is created`(
    name: String
  ) throws {
    try withTemporaryDirectory { directory in
      let location = directory.appending(path: "store")
      let url =
        name.isEmpty
        ? try #require(URL(string: "https://example.org/vault.key"))
        : URL(filePath: directory.path + "/" + name)

      let vault = #expect(throws: StorageError.self) {
        try VaultBackend(at: location, unlockedBy: .keyFile(url))
      }
      let sealed = #expect(throws: StorageError.self) {
        try EncryptedBackend(MemoryBackend(), key: .keyFile(url))
      }
      #expect(vault?.code == .misuse)
      #expect(sealed?.code == .misuse)

      let own = directory.appending(path: "own")
      let opened = try VaultBackend(at: own, unlockedBy: .passphrase("open", logRounds: 4))
      #expect(throws: StorageError.self) { try opened.add(.keyFile(url)) }
      #expect(throws: StorageError.self) { try opened.rekey(to: .keyFile(url)) }
      try opened.apply([.set("token", Data("abc".utf8))])
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
          .filter { !$0.hasPrefix("store") } == ["own", "own.lock"])
    }
  }
}
