import Foundation
import TestSupport
import Testing
import UndercroftCore

@Suite struct AsyncStorageTests {
  @Test func `each asynchronous method of a storage has the effect of its synchronous counterpart`()
    async throws
  {
    let storage = try library(.preference)
    try await storage.async.save(5, for: .fontSize)
    #expect(try await storage.async.load(.fontSize) == 5)
    #expect(try await storage.async.contains(.fontSize))
    #expect(try await storage.async.names(of: .preference) == ["fontSize"])

    let doubled = try await storage.async.edit(.preference) { edit in
      edit[.fontSize] *= 2
      return edit[.fontSize]
    }
    #expect(doubled == 10)

    try await storage.async.remove(.fontSize)
    #expect(try await !storage.async.contains(.fontSize))
    #expect(try await storage.async.perform { $0[.theme] } == .system)
  }

  @Test
  func `an asynchronous load from a storage without a backend fails with the code unavailable`()
    async throws
  {
    let error = await #expect(throws: StorageError.self) {
      try await Storage().async.load(.fontSize)
    }
    #expect(error?.code == .unavailable)
  }

  private enum Desk { @TaskLocal static var reader = "nobody" }

  @Test
  func `an asynchronous edit sees the task-local values and cancellation of the calling task`()
    async throws
  {
    let storage = try library(.preference)
    let hasBegun = DispatchSemaphore(value: 0)
    let isCancelled = DispatchSemaphore(value: 0)
    let task = Desk.$reader.withValue("Ada") {
      Task {
        try await storage.async.edit(.preference) { edit in
          let before = Task.isCancelled
          hasBegun.signal()
          isCancelled.wait()
          edit[.lastReader] = Desk.reader
          return (before, Task.isCancelled)
        }
      }
    }
    try await blocking { hasBegun.wait() }
    task.cancel()
    isCancelled.signal()

    let (before, after) = try await task.value
    #expect(!before)
    #expect(after)
    #expect(try storage.load(.lastReader) == "Ada")
    #expect(try await storage.async.perform { _ in Task.isCancelled } == false)
  }

  @MainActor
  @Test
  func `async.perform runs closures neither on the main thread nor in the cooperative thread pool`()
    async throws
  {
    let storage = try library(.preference)
    #expect(try await storage.async.perform { _ in Thread.isMainThread } == false)

    // More waiting calls than the pool has threads; the last task releases all of them.
    let count = 4 * ProcessInfo.processInfo.activeProcessorCount
    let bell = DispatchSemaphore(value: 0)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<count {
        group.addTask {
          try await storage.async.perform { _ in bell.wait(timeout: .hangLimit) == .success }
        }
      }
      group.addTask {
        for _ in 0..<count { bell.signal() }
        return true
      }
      for try await isInTime in group { #expect(isInTime) }
    }
  }

  @MainActor
  @Test func `if the closure of async.perform blocks, the awaiting main actor can run other tasks`()
    async throws
  {
    let storage = try library(.preference)
    let bell = DispatchSemaphore(value: 0)
    let task = Task { @MainActor in
      try await storage.async.perform { _ in bell.wait(timeout: .hangLimit) }
    }
    // Runs only if the main actor is free, whichever of the two tasks starts first.
    Task { @MainActor in bell.signal() }

    #expect(try await task.value == .success)
  }
}
