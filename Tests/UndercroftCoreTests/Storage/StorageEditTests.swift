import Foundation
import Testing
import UndercroftCore
import UndercroftTesting

@Suite struct StorageEditTests {
  private struct Refusal: Error, Equatable {}

  @Test func `an edit keeps all its changes in one batch`() throws {
    let storage = try library(.preference)
    let batches = Record<Int>()
    let registration = try storage.gate(for: .preference).intercept(
      Interceptor(after: { batches.add($0.names.count) }))
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
    #expect(batches.values == [3])
    registration.cancel()
  }

  @Test func `an edit reads its own changes and nobody else does`() throws {
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

  @Test func `an error in the body changes nothing and comes through unchanged`() throws {
    let storage = try library(.preference)
    #expect(throws: Refusal.self) {
      try storage.edit(.preference) {
        $0[.theme] = .dark
        throw Refusal()
      }
    }
    #expect(storage[.theme] == .system)
  }

  @Test func `a key of another kind fails the edit`() throws {
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

  @Test func `reading a damaged value by subscript fails the edit`() throws {
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

  @Test func `a backend that does not keep batches whole refuses an edit`() throws {
    var storage = Storage()
    try storage.use(.backend(MinimalBackend()), for: .document)
    let error = #expect(throws: StorageError.self) { try storage.edit(.document) { _ in } }
    #expect(error?.code == .notSupported)
    #expect(error?.message.contains(".atomicBatches") == true)
  }

  @Test func `an edit within an edit is an error and not a deadlock`() throws {
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

  @Test func `edits of many threads do not lose each other's changes`() async throws {
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

  @Test func `an edit that fails at the backend leaves what was there`() throws {
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
