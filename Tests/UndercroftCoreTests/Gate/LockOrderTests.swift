import Dispatch
import Foundation
import TestSupport
import Testing
import UndercroftCore

/// Tests the lock order: a backend excludes other writers before its gate does.
@Suite(.timeLimit(.hangLimit)) struct LockOrderTests {
  /// Each backend, with the backend beneath it that can be used without the gate.
  private static let backends: [@Sendable () -> (any StorageBackend, any ExclusiveAccessBackend)] =
    [
      {
        let memory = MemoryBackend()
        return (memory, memory)
      },
      {
        let memory = MemoryBackend()
        return (NamespacedBackend(memory, namespace: "desk"), memory)
      },
      {
        let memory = MemoryBackend()
        return (SearchListBackend(overrides: [MemoryBackend()], primary: memory), memory)
      },
      {
        let shared = SharedStore().open()
        return (shared, shared)
      },
    ]

  @Test(arguments: backends.indices)
  func `a write inside exclusive access and a concurrent write of another thread do not deadlock`(
    _ index: Int
  ) async throws {
    let (backend, beneath) = Self.backends[index]()
    let gate = Gate(backend)
    let (besideBegan, withinBegan) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let registration = gate.intercept(
      Interceptor(before: { write in
        guard write.names == ["beside"] else { return }
        besideBegan.signal()
        // The other thread cannot enter while the backend's lock is held, so this wait times out.
        _ = withinBegan.wait(timeout: .now() + 0.2)
      }))

    async let beside: Void = blocking { try gate.apply([.set("beside", Data())]) }
    async let within: Void = blocking {
      _ = besideBegan.wait(timeout: .hangLimit)
      try beneath.withExclusiveAccess {
        withinBegan.signal()
        try gate.apply([.set("within", Data())])
      }
    }
    _ = try await (beside, within)

    #expect(try Set(backend.keys(withPrefix: "")) == ["beside", "within"])
    registration.cancel()
  }

  @Test
  func `edits that write to their own backend through another storage do not deadlock`()
    async throws
  {
    let memory = MemoryBackend()
    let gates = [Gate(memory), Gate(memory)]

    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in gates.indices {
        group.addTask {
          try await blocking {
            for round in 0..<200 {
              try gates[index].edit { changes in
                try gates[1 - index].apply([.set("inner", Data([UInt8(round)]))])
                changes = [.set("outer", Data([UInt8(round)]))]
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }

    #expect(try memory.keys(withPrefix: "") == ["inner", "outer"])
  }

  @Test
  func `a write refused by a read-only layer does not wait for a writer of the wrapped backend`()
    async throws
  {
    let memory = MemoryBackend()
    let gate = Gate(ReadOnlyBackend(memory))

    try await blocking {
      let bell = DispatchSemaphore(value: 0)
      try memory.withExclusiveAccess {
        Thread.detachNewThread {
          try? gate.apply([.set("book", Data())])
          bell.signal()
        }
        #expect(bell.wait(timeout: .hangLimit) == .success)
      }
    }
  }
}
