import Foundation
import TestSupport
import Testing

/// Tests of the flag `--reveal`, which shows the values of confidential stores.
///
/// `ShownSecretsTests` tests the flag for values of other stores that look like secrets.
@Suite struct RevealedValueTests {
  private static func withHome(_ body: (_ path: String, _ arguments: [String]) throws -> Void)
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "home"))
      let key = home.url.appending(path: "keys/vault.key").path
      try body(home.url.path, ["pin", "--key-file", key, "--reveal"])
    }
  }

  @Test(arguments: ["get", "tree"])
  func `a confidential value is written to a pipe only with --yes`(command: String) throws {
    try Self.withHome { home, arguments in
      let refused = try run([command, home] + arguments)
      let written = try run([command, home] + arguments + ["--yes"])

      #expect(refused.status == 77)
      #expect(refused.output.isEmpty)
      #expect(refused.errors.contains("--yes"))
      #expect(written.status == 0)
      #expect(written.output.contains("s3cret at noon"))
    }
  }

  @Test func `the error for a hidden value suggests --yes only if no terminal can ask`() throws {
    try Self.withHome { home, arguments in
      let hidden = ["get", home] + arguments.filter { $0 != "--reveal" } + ["--kind", "secret"]

      let piped = try run(hidden)
      let terminal = try PseudoTerminal(
        Program.inspector, hidden, size: .init(columns: 200, lines: 24), environment: [:]
      ).result()
      let missing = try run("get", home, "pim")

      #expect(piped.status == 77 && terminal.status == 77)
      #expect(piped.errors.contains("add --reveal --yes to show the value"), "\(piped.errors)")
      #expect(terminal.output.contains("add --reveal to show the value"), "\(terminal.output)")
      #expect(missing.errors.contains("with --reveal --yes; if the value"), "\(missing.errors)")
    }
  }

  @Test func `a confidential value is shown on a terminal without a question`() throws {
    try Self.withHome { home, arguments in
      let answer = try PseudoTerminal(
        Program.inspector, ["get", home] + arguments, size: .init(columns: 200, lines: 24),
        environment: [:]
      ).result()

      #expect(answer.status == 0)
      #expect(answer.output.contains("s3cret at noon"))
    }
  }

  @Test(arguments: [(answer: "y", isWritten: true), (answer: "n", isWritten: false)])
  func `a redirection of a confidential value is confirmed on the terminal`(
    answer: String, isWritten: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "pin")
      try Self.withHome { home, arguments in
        let terminal = try PseudoTerminal(
          Program(at: "/bin/sh"),
          ["-c", #"file=$1; shift; exec "$0" get "$@" >"$file""#, try Program.inspector.path]
            + [file.path, home] + arguments, size: .init(columns: 200, lines: 24), environment: [:])

        try terminal.expect("Write confidential values to a file or another program? [y/N]")
        let status = terminal.statusAfterTyping("\(answer)\n")

        #expect(status == (isWritten ? 0 : 1))
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("s3cret at noon") == isWritten)
      }
    }
  }

  @Test func `a value that is not confidential needs no question with --reveal`() throws {
    try withTemporaryDirectory { directory in
      let answer = try SampleHome(at: directory).run("get", "theme", "--reveal")

      #expect(answer.status == 0)
      #expect(answer.output == "\"dark\"\n")
    }
  }
}
