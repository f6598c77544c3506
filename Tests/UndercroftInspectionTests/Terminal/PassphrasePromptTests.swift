import Foundation
import TestSupport
import Testing

/// Tests of the prompt for the passphrase of a vault on a terminal.
@Suite struct PassphrasePromptTests {
  @Test func `a passphrase is typed without echo`() throws {
    try withHome(preferenceCount: 3) { home in
      let terminal = try PseudoTerminal(Program.inspector, ["ls", home.path, "--ask-passphrase"])
      #expect(terminal.read(until: "Passphrase: ").hasSuffix("Passphrase: "))
      #expect(waitUntil { !terminal.hasEcho })

      terminal.type("open sesame\n")
      let answer = terminal.result()

      #expect(answer.status == 0)
      #expect(answer.output.contains("preference"))
      #expect(!answer.output.contains("sesame"))
      #expect(terminal.hasEcho)
    }
  }

  @Test func `diff asks for the passphrase once`() throws {
    try withHome(preferenceCount: 3) { home in
      let terminal = try PseudoTerminal(
        Program.inspector, ["diff", home.path, home.path, "--ask-passphrase"])
      _ = terminal.read(until: "Passphrase: ")
      #expect(waitUntil { !terminal.hasEcho })

      terminal.type("open sesame\n")

      #expect(terminal.status() == 0)
    }
  }

  @Test func `Ctrl-C while a passphrase is typed turns the echo on again`() throws {
    try withHome(preferenceCount: 3) { home in
      let terminal = try PseudoTerminal(Program.inspector, ["ls", home.path, "--ask-passphrase"])
      _ = terminal.read(until: "Passphrase: ")
      #expect(waitUntil { !terminal.hasEcho })

      terminal.type("open\u{3}")
      let answer = terminal.result()

      #expect(answer.wasKilledBySignal)
      #expect(answer.status == SIGINT)
      #expect(!answer.output.contains("open"))
      #expect(terminal.hasEcho)
    }
  }
}
