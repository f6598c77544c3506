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

  @Test(.enabled(if: Program.canTrace), arguments: [["cp"], ["export", "--output"]])
  func `if the folder of a new item cannot be flushed, the error says that the item is complete`(
    command: [String]
  ) throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "home"))
      let folder = try TemporaryDirectory()
      let item = folder.file("created")
      let fault = [
        "-f", "-o", "/dev/null", "-P", folder.url.path, "-e", "trace=fsync", "-e",
        "inject=fsync:error=EIO",
      ]
      let source = home.url.appending(path: "settings").path
      let tool = [try Program.inspector.url.path, command[0], source]

      let answer = try Program(at: "/usr/bin/strace").run(
        fault + tool + Array(command.dropFirst()) + [item])

      #expect(answer.status == 74)
      #expect(
        answer.errors.contains("\(item)\" was created and is complete"), "\(answer.errors)")
      #expect(try folder.names.contains("created"))
    }
  }
}
