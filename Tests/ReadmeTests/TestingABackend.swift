import Foundation
import Paper
import Testing
import UndercroftCore
import UndercroftTesting

// The code of Docs/Guides/TestingABackend.md.

@Suite struct PaperBackendTests {
  @Test(arguments: BackendConformance.checks)
  func `PaperBackend meets the backend contract`(to check: BackendConformance.Check) async throws {
    try await check.run(against: Harness { try PaperBackend(in: $0.appending(path: "store")) })
  }
}

@Suite struct PaperModelTests {
  @Test func `random operations have the same effect on PaperBackend as on a dictionary`() throws {
    try ModelCheck(seed: 7, operations: 500).run(
      reopening: true, against: Harness { try PaperBackend(in: $0.appending(path: "store")) })
  }
}
