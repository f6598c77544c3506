import Foundation
import Testing
import UndercroftCore
import UndercroftKeyValue
import UndercroftTesting

@Suite struct JournalledBackendTests {
  @Test(arguments: BackendConformance.checks)
  func `conforms`(to check: BackendConformance.Check) async throws {
    try await check.run(
      against: Harness { directory in
        try JournalledBackend(at: directory.appending(path: "settings"))
      })
  }
}
