import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of system calls that fail while the command `convert` writes a database.
@Suite(.enabled(if: Program.canTrace)) struct ConversionFaultTests {
  @Test(arguments: [("fsync", "EIO"), ("fdatasync", "EIO"), ("pwrite64", "ENOSPC")])
  func `a conversion to a database ends with the status 74 if a flush or a write fails`(
    call: String, error: String
  ) throws {
    try withTemporaryDirectory { directory in
      let source = directory.appending(path: "settings")
      try JournalledBackend(at: source).apply([.set("theme", Data("dark".utf8))])
      var failureCount = 0
      for number in 1...60 {
        let copy = directory.appending(path: "copy-\(number)").path
        let trace = directory.appending(path: "trace")
        let fault = [
          "-f", "-y", "-o", trace.path, "-e", "trace=\(call)", "-e",
          "inject=\(call):error=\(error):when=\(number)",
        ]
        let tool = [try Program.inspector.url.path, "convert", source.path, copy, "--to", "sqlite"]

        let answer = try Program(at: "/usr/bin/strace").run(fault + tool)

        let failed = try String(contentsOf: trace, encoding: .utf8).split(separator: "\n")
          .filter { $0.contains("(INJECTED)") }
        if failed.isEmpty {
          #expect(answer.status == 0, "\(answer.errors)")
          #expect(failureCount > 0)
          return
        }
        // SQLite ignores that the temporary folder cannot be flushed, which is not needed.
        guard failed.contains(where: { $0.contains("/copy-\(number)") }) else { continue }
        failureCount += 1
        #expect(answer.status == 74, "\(failed) \(answer.errors)")
        #expect(!FileManager.default.fileExists(atPath: copy))
      }
      Issue.record("the conversion made more than 60 calls")
    }
  }
}
