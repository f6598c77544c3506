import Foundation
import TestSupport
import Testing

/// Tests that the files which commands create are flushed before they get their names.
@Suite struct FlushedFilesTests {
  @Test(
    .enabled(if: Program.canTrace),
    arguments: [
      ["export", "-o"], ["export", "--output-directory"], ["cp"],
      ["er", "--kind", "record", "--svg", "--output"],
    ])
  func `a new file or folder is flushed before it gets its name`(command: [String]) throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "home"))
      let trace = directory.appending(path: "trace")
      let item = directory.appending(path: "created").path
      let options = ["-f", "-y", "-e", "trace=fsync,renameat2,linkat", "-o", trace.path]
      let tool = [try Program.inspector.url.path, command[0], home.url.path]

      let answer = try Program(at: "/usr/bin/strace").run(
        options + tool + Array(command.dropFirst()) + [item])

      #expect(answer.status == 0, "\(answer.errors)")
      let lines = try String(contentsOf: trace, encoding: .utf8).split(separator: "\n")
      let flush = lines.firstIndex { $0.contains("fsync(") && $0.contains("/created>") }
      let rename = lines.firstIndex { $0.contains("\"created\"") }
      let (flushed, named) = (try #require(flush), try #require(rename))
      #expect(flushed < named)
    }
  }
}
