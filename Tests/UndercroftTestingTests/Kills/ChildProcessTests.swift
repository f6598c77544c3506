import Foundation
import Testing
import UndercroftCore
import UndercroftTesting

@Suite struct ChildProcessTests {
  @Test func `starting a program that does not exist throws an error with the code unavailable`() {
    let error = #expect(throws: StorageError.self) { _ = try ChildProcess(["/library/absent"]) }

    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("cannot start \"/library/absent\"") == true)
  }

  @Test
  func `a reached process limit causes the error unavailable, which suggests raising the limit`() {
    let error = StorageError.starting("/library/lend", number: EAGAIN)

    #expect(error.code == .unavailable)
    #expect(error.message.hasPrefix("cannot start \"/library/lend\": a limit on the number of"))
    #expect(error.suggestion?.contains("ulimit -u") == true)
    #expect((error.underlying as? SystemError)?.number == EAGAIN)
  }
}
