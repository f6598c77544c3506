import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of the notes about errors that a backend reports although the change of a command is
/// stored.
@Suite struct IssueNotesTests {
  /// Runs the inspector while no file can be renamed, as on a full disk.
  private static func runWithoutRenaming(_ arguments: [String]) throws -> ProgramResult {
    let fault = [
      "-f", "-o", "/dev/null", "-e", "trace=/^rename", "-e", "inject=/^rename:error=ENOSPC",
    ]
    return try Program(at: "/usr/bin/strace")
      .run(fault + [try Program.inspector.path] + arguments)
  }

  @Test(.enabled(if: Program.canTrace), arguments: ["set", "rm"])
  func `a change of a vault that cannot erase the old value is stored, and noted with the reason`(
    command: String
  ) throws {
    try withTemporaryDirectory { directory in
      var fixture = try VaultFixture(directory)
      fixture.close()
      let value = command == "set" ? ["correct staple"] : []

      // The second command also fails to erase the first value when it opens the vault.
      let answers = try ["reader-0", "reader-1"].map { name in
        try Self.runWithoutRenaming(
          [command, fixture.url.path, name] + value
            + ["--key-file", fixture.key.path, "--write", "--yes", "--no-undo"])
      }

      for answer in answers {
        #expect(answer.status == 0)
        #expect(answer.output.contains(command == "set" ? "changed 1 value" : "removed 1 value"))
        #expect(
          answer.errors == """
            undercroft: cannot erase replaced and removed values from "\(fixture.url.path)", in \
            which every successful change is stored: no space left on device; free disk space, \
            and open the vault or change a value again, which repeats the attempt

            """)
      }
      let vault = try VaultBackend(at: fixture.url, unlockedBy: .keyFile(fixture.key))
      let stored = try ["reader-0", "reader-1"].map { try vault.read($0) }
      #expect(
        stored
          == (command == "set"
            ? Array(repeating: Data("correct staple".utf8), count: 2) : [nil, nil]))
    }
  }

  @Test(.enabled(if: Program.canTrace))
  func `a quiet command does not note that an old value cannot be erased`() throws {
    try withTemporaryDirectory { directory in
      var fixture = try VaultFixture(directory)
      fixture.close()

      let answer = try Self.runWithoutRenaming([
        "rm", fixture.url.path, "reader-0", "--key-file", fixture.key.path, "--write", "--yes",
        "--no-undo", "--quiet",
      ])

      #expect(answer.status == 0)
      #expect(answer.errors.isEmpty, "\(answer.errors)")
    }
  }

  @Test func `a command that changes a store with a damaged batch notes what was not recovered`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "settings")
      let journal = url.appendingPathExtension("journal")
      try JournalledBackend(at: url).apply([.set("theme", Data("dark".utf8))])
      let bytes = try Data(contentsOf: journal) + Data(repeating: 0x5a, count: 100)
      try bytes.write(to: journal)

      let answer = try run("set", url.path, "theme", "light", "--write", "--yes", "--no-undo")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(
        answer.errors.hasPrefix(
          "undercroft: cannot recover 100 bytes of \"\(journal.path)\": a batch of writes at byte"),
        "\(answer.errors)")
      #expect(answer.errors.split(separator: "\n").count == 1, "\(answer.errors)")
      #expect(try JournalledBackend(at: url).read("theme") == Data("light".utf8))
    }
  }
}
