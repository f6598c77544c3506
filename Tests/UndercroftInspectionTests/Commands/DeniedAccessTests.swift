import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests of what commands show about owners and about files that the user cannot read.
@Suite struct DeniedAccessTests {
  /// Runs a command on a home as a user who cannot read one of its stores, and returns the rows.
  private static func rows(_ command: String, _ home: SampleHome) throws -> [[String: Any]] {
    let answer = try Program.inspector.runInShell(
      "\(OtherUser.program) \(command) \"$1\" --format json", home.url.path)
    return try rowsOfJSON(answer.output)
  }

  /// Calls `body` with a home that others can enter, and with an item of it that no user may read.
  private static func withHome(
    denying item: String, _ mode: mode_t, _ body: (SampleHome, String) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "home"))
      let path = home.url.appending(path: item).path
      #expect(chmod(home.url.path, 0o755) == 0)
      #expect(chmod(home.url.appending(path: "undercroft.json").path, 0o644) == 0)
      #expect(chmod(path, mode) == 0)
      defer { chmod(path, 0o700) }
      try body(home, path)
    }
  }

  @Test(.enabled(if: OtherUser.isAvailable))
  func `doctor suggests the command that makes a store readable`() throws {
    try Self.withHome(denying: "settings", 0o000) { home, path in
      let found = try Self.rows("doctor", home).first { $0["check"] as? String == "preference" }

      #expect(found?["state"] as? String == "problem")
      #expect(
        found?["suggestion"] as? String
          == (geteuid() == 0
            ? "chown \(OtherUser.number) \(path) (as the user root (0))" : "chmod u+r \(path)"))
    }
  }

  @Test(.enabled(if: OtherUser.isAvailable))
  func `doctor suggests the command that opens the folder above a store`() throws {
    try Self.withHome(denying: "secrets", 0o600) { home, path in
      let found = try Self.rows("doctor", home).first { $0["check"] as? String == "secret" }

      #expect(
        found?["suggestion"] as? String
          == (geteuid() == 0
            ? "chmod o+x \(path) (as the user root (0))" : "chmod u+x \(path)"))
    }
  }

  @Test(.enabled(if: OtherUser.isAvailable))
  func `ls shows words for a store that the user may not read, and JSON has the code`() throws {
    try Self.withHome(denying: "settings", 0o000) { home, _ in
      let text = try Program.inspector.runInShell("\(OtherUser.program) ls \"$1\"", home.url.path)
      let row = try Self.rows("ls", home).first { $0["kind"] as? String == "preference" }

      #expect(text.output.contains("settings  (no permission)"), "\(text.output)")
      #expect(!text.output.contains("accessDenied"))
      #expect(row?["problem"] as? String == "accessDenied")
    }
  }

  @Test func `info shows the owner with name and number, and JSON has the number`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let text = try home.run("info", "--kind", "preference").output
      let row = try #require(try home.rows("info", "--kind", "preference").first)

      let files = try #require(row["files"] as? [[String: Any]])
      #expect(text.contains("owner: \(NSUserName()) (\(geteuid()))"), "\(text)")
      #expect(files.allSatisfy { $0["owner"] as? Int == Int(geteuid()) })
    }
  }

  @Test func `the help of ls and du says why their numbers of bytes differ`() throws {
    let help = try ["ls", "du"].map { command in
      try run(command, "--help").output.split { $0.isWhitespace }.joined(separator: " ")
    }

    #expect(help[0].contains("the command du counts all files of a store"))
    #expect(help[1].contains("can exceed the bytes that ls shows"))
  }
}
