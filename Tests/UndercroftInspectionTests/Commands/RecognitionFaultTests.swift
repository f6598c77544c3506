import Foundation
import TestSupport
import Testing

/// Tests of system calls that fail while the inspector recognises a store.
@Suite(.enabled(if: Program.canTrace)) struct RecognitionFaultTests {
  private static func run(
    _ arguments: [String], failing call: String, with error: String, on path: String
  ) throws -> ProgramResult {
    let fault = [
      "-f", "-o", "/dev/null", "-P", path, "-e", "trace=\(call)", "-e",
      "inject=\(call):error=\(error)",
    ]
    return try Program(at: "/usr/bin/strace")
      .run(fault + [try Program.inspector.url.path] + arguments)
  }

  @Test(arguments: ["openat", "pread64"], ["EIO", "ENOSPC", "EMFILE"])
  func `a file whose first bytes cannot be read is reported with the status 74`(
    call: String, error: String
  ) throws {
    try withHome { home, _ in
      for name in ["settings", "records.sqlite"] {
        let path = home.url.appending(path: name).path

        let answer = try Self.run(["info", path], failing: call, with: error, on: path)

        #expect(answer.status == 74, "\(answer.errors)")
        #expect(answer.errors.contains("cannot read \"\(path)\": "), "\(answer.errors)")
        #expect(!answer.errors.contains("not a store"))
      }
    }
  }

  @Test(arguments: ["EIO", "EMFILE"])
  func `a folder that cannot be opened is reported with the status 74`(error: String) throws {
    try withHome { home, _ in
      let path = home.url.appending(path: try home.fileName(of: "blob")).path

      let answer = try Self.run(["info", path], failing: "openat", with: error, on: path)

      #expect(answer.status == 74, "\(answer.errors)")
      #expect(answer.errors.contains("cannot open \"\(path)\": "), "\(answer.errors)")
      #expect(!answer.errors.contains("not a store"))
    }
  }

  @Test func `a home is not copied if a database in it cannot be recognised`() throws {
    try withHome { home, directory in
      let extra = home.url.appending(path: "extra.sqlite")
      try SQLiteShell.run("CREATE TABLE loan(id)", on: extra)

      let answer = try Self.run(
        ["cp", home.url.path, directory.file("copy")], failing: "pread64", with: "EIO",
        on: extra.path)

      #expect(answer.status == 74, "\(answer.errors)")
      #expect(answer.errors.contains("extra.sqlite"), "\(answer.errors)")
      #expect(try directory.names == ["home"])
    }
  }
}
