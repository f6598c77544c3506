import Foundation
import Testing
import UndercroftCore
import UndercroftTesting

@Suite struct MemoryBackendConformanceTests {
  @Test(arguments: BackendConformance.checks)
  func `the in-memory backend conforms to the backend contract`(to check: BackendConformance.Check)
    async throws
  {
    try await check.run(against: Harness { _ in MemoryBackend() })
  }
}

@Suite struct MinimalBackendConformanceTests {
  @Test(arguments: BackendConformance.checks)
  func `a backend without optional capabilities conforms to the backend contract`(
    to check: BackendConformance.Check
  ) async throws {
    try await check.run(against: Harness { _ in MinimalBackend() })
  }

  @Test(arguments: BackendConformance.checks)
  func `a minimal backend conforms to the backend contract even when writes of one key fail`(
    to check: BackendConformance.Check
  ) async throws {
    try await check.run(
      against: Harness { _ in MinimalBackend() }
        .breaking { _, name in FaultyBackend(MinimalBackend(), .name(name)) })
  }
}

@Suite struct NamespacedBackendConformanceTests {
  @Test(arguments: BackendConformance.checks)
  func `a namespace of a shared in-memory backend conforms to the backend contract`(
    to check: BackendConformance.Check
  ) async throws {
    try await check.run(
      against: Harness { _ in
        let memory = MemoryBackend()
        try memory.apply([.set("book", Data()), .set("loans", Data()), .set("loan", Data())])
        return NamespacedBackend(memory, namespace: "loan")
      })
  }
}

@Suite struct SearchListBackendConformanceTests {
  @Test(arguments: BackendConformance.checks)
  func `a SearchListBackend conforms to the backend contract`(to check: BackendConformance.Check)
    async throws
  {
    try await check.run(
      against: Harness { _ in
        SearchListBackend(
          overrides: [MemoryBackend()], primary: MinimalBackend(), fallbacks: [MemoryBackend()])
      })
  }
}

@Suite struct FaultyBackendConformanceTests {
  @Test(arguments: BackendConformance.checks)
  func `a fault-injecting layer without faults conforms to the backend contract`(
    to check: BackendConformance.Check
  ) async throws {
    try await check.run(
      against: Harness { _ in FaultyBackend(MemoryBackend()) }
        .breaking { _, name in FaultyBackend(MemoryBackend(), .name(name)) })
  }
}
