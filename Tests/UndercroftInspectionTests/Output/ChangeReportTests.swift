import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of the result of a change, also if standard output cannot be written.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
struct ChangeReportTests {
  /// Runs the inspector in a shell whose script contains `"$0" "$@"`.
  private func run(
    _ script: String, _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> ProgramResult {
    let program = try Program.inspector.path
    return try Program(at: "/bin/sh").run(
      ["-c", script, program] + arguments, environment: environment)
  }

  @Test(arguments: [">/dev/full", ">&-"])
  func `the error after a removal says that the value was removed, and contains the undo`(
    redirection: String
  ) throws {
    try EditedHome.with { edited in
      let arguments = [
        "rm", edited.home.url.path, "theme", "--kind", "preference", "--write", "--yes",
      ]

      let answer = try run("\"$0\" \"$@\" \(redirection)", arguments, edited.environment)

      #expect(answer.status == 74)
      #expect(answer.errors.contains("the change was made (removed 1 value), but"))
      #expect(answer.errors.contains("; do not repeat the command; to undo: undercroft undo "))
      let undo = try #require(try edited.undoFiles.first)
      #expect(answer.errors.contains(undo.path))
      #expect(try edited.preference("theme") == nil)
    }
  }

  @Test func `a note contains the undo if the reader of standard output has left`() throws {
    try EditedHome.with { edited in
      let arguments = [
        "rm", edited.home.url.path, "theme", "--kind", "preference", "--write", "--yes",
      ]

      let answer = try run(
        "{ sleep 0.3; \"$0\" \"$@\"; } | true", arguments, edited.environment)

      #expect(answer.errors.contains("undercroft: to undo: undercroft undo "))
      #expect(try edited.preference("theme") == nil)
    }
  }

  @Test func `the error after a conversion says that the new store is complete`() throws {
    try EditedHome.with { edited in
      let out = edited.state.path + "-out"
      let arguments = [
        "convert", edited.home.url.path, out, "--kind", "preference", "--to", "settings",
      ]

      let answer = try run("\"$0\" \"$@\" >/dev/full", arguments)

      #expect(answer.status == 74)
      #expect(answer.errors.contains("the change was made (converted 2 values"))
      let values = try EditedHome.values(of: try JournalledBackend(at: URL(filePath: out)))
      #expect(values.count == 2)
    }
  }

  @Test(arguments: [
    ["rekey", "--allow-losing-access"], ["slots", "--remove", "1", "--allow-losing-access"],
  ])
  func `the error after a change of a vault says that the vault was changed`(
    command: [String]
  ) throws {
    try withTemporaryDirectory { directory in
      let (vault, key) = (directory.appending(path: "vault"), directory.appending(path: "key"))
      let passphrase = VaultKey.passphrase("open sesame", logRounds: 4)
      try VaultBackend(at: vault, unlockedBy: .keyFile(key)).add(passphrase)
      let before = try Data(contentsOf: vault)
      let arguments = ["vault", command[0], vault.path] + command.dropFirst()

      let answer = try run(
        "\"$0\" \"$@\" >/dev/full", arguments + ["--key-file", key.path, "--write", "--yes"])

      #expect(answer.status == 74)
      #expect(answer.errors.contains("the change was made ("), "\(answer.errors)")
      #expect(answer.errors.contains("do not repeat the command"))
      #expect(try Data(contentsOf: vault) != before)
    }
  }

  @Test(arguments: [
    ["rekey", "--allow-losing-access", "--write", "--yes"],
    ["slots", "--remove", "2", "--allow-losing-access", "--write", "--yes"], ["slots"],
  ])
  func `only the slots of a vault that was not changed are shown by the pager`(
    command: [String]
  ) throws {
    try withTemporaryDirectory { directory in
      let (vault, key) = (directory.appending(path: "vault"), directory.appending(path: "key"))
      let passphrase = VaultKey.passphrase("open sesame", logRounds: 4)
      try VaultBackend(at: vault, unlockedBy: .keyFile(key)).add(passphrase)
      let arguments = ["vault", command[0], vault.path] + command.dropFirst()

      let answer = try show(arguments + ["--key-file", key.path], lines: 2)

      #expect(answer.status == 0, "\(answer.output)")
      #expect(answer.output.contains("key file"), "\(answer.output)")
      #expect(answer.output.contains("paged:") == (command == ["slots"]), "\(answer.output)")
    }
  }

  @Test func `the result of a conversion is shown without the pager`() throws {
    try withHome { home, directory in
      let answer = try show(
        [
          "convert", home.url.path, directory.file("loans"), "--kind", "preference", "--to",
          "settings",
        ], lines: 1)

      #expect(answer.status == 0, "\(answer.output)")
      #expect(answer.output.contains("converted 2 values"))
      #expect(!answer.output.contains("paged:"), "\(answer.output)")
    }
  }

  /// Runs the inspector on a terminal with a pager that marks its lines.
  private func show(_ arguments: [String], lines: UInt16) throws -> ProgramResult {
    try PseudoTerminal(
      Program.inspector, arguments, size: .init(columns: 80, lines: lines),
      environment: ["PAGER": "sed s/^/paged:/"]
    ).result()
  }
}
