import Foundation
import TestSupport
import Testing

/// Tests of the inspector in a process that can open only few files.
@Suite struct OpenFileLimitTests {
  private static func run(limit: Int, _ command: String, _ path: String) throws -> ProgramResult {
    try Program.inspector.runInShell("ulimit -n \(limit); exec \"$0\" \"$@\"", command, path)
  }

  @Test func `a store that needs more open files than the limit is reported with the status 74`()
    throws
  {
    try withHome { home, _ in
      let names = ["settings", "records.sqlite", try home.fileName(of: "blob")]
      var refusedCount = 0
      for (name, limit) in names.flatMap({ name in (4...8).map { (name, $0) } }) {
        let path = home.url.appending(path: name).path

        let answer = try Self.run(limit: limit, "info", path)

        // The system may need more files than the limit to load the libraries of the program.
        if answer.status == 127 { continue }
        #expect([0, 74].contains(answer.status), "\(name), \(limit): \(answer.errors)")
        #expect(!answer.errors.contains("not a store"))
        if answer.status == 74 {
          refusedCount += 1
          #expect(answer.errors.contains("ulimit -n"), "\(answer.errors)")
        }
      }
      #expect(refusedCount > 0)
    }
  }

  @Test func `a home with more databases than a process can open is reported with the status 74`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try BranchHome(at: directory, branchCount: 40) { _ in "CREATE TABLE book(title)" }

      let answer = try Program.inspector.runInShell(
        #"ulimit -n 32; exec "$0" query "$1" "SELECT 1""#, home.url.path)

      #expect(answer.status == 74, "\(answer.errors)")
      #expect(answer.errors.contains("too many open files"), "\(answer.errors)")
      #expect(answer.errors.contains("ulimit -n"))
    }
  }
}
