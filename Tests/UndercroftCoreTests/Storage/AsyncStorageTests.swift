import Foundation
import Testing
import UndercroftCore

@Suite struct AsyncStorageTests {
  @Test func `every call does what its synchronous one does`() async throws {
    let storage = try library(.preference)
    try await storage.async.save(5, for: .fontSize)
    #expect(try await storage.async.load(.fontSize) == 5)
    #expect(try await storage.async.contains(.fontSize))
    #expect(try await storage.async.keys(of: .preference) == ["fontSize"])
    let doubled = try await storage.async.edit(.preference) { edit in
      edit[.fontSize] *= 2
      return edit[.fontSize]
    }
    #expect(doubled == 10)
    try await storage.async.remove(.fontSize)
    #expect(try await !storage.async.contains(.fontSize))
    #expect(try await storage.async.perform { $0[.theme] } == .system)
  }

  @Test func `errors come through`() async throws {
    let error = await #expect(throws: StorageError.self) {
      try await Storage().async.load(.fontSize)
    }
    #expect(error?.code == .unavailable)
  }

  @MainActor
  @Test func `work that blocks does not block the caller's executor`() async throws {
    let storage = try library(.preference)
    let bell = DispatchSemaphore(value: 0)
    let task = Task { @MainActor in
      try await storage.async.perform { _ in bell.wait(timeout: .now() + 600) }
    }
    // Comes to its turn only if the main actor is free, whichever of the two was first.
    Task { @MainActor in bell.signal() }
    #expect(try await task.value == .success)
  }
}
