import Foundation
import TestSupport
import Testing

/// Tests of the passphrase of a new vault, which is typed twice on a terminal.
@Suite struct NewPassphraseTests {
  /// Converts the settings of a home to a vault, and returns the result and the path of the vault.
  private static func convert(
    typing first: String, and second: String, in directory: URL
  ) throws -> (result: ProgramResult, vault: String) {
    let home = try SampleHome(at: directory.appending(path: "home"))
    let vault = directory.appending(path: "vault").path
    let terminal = try PseudoTerminal(
      Program.inspector,
      [
        "convert", home.url.path, vault, "--kind", "preference", "--to", "vault",
        "--ask-passphrase",
      ], size: .init(columns: 80, lines: 24), environment: [:])
    _ = terminal.read(until: "New passphrase: ")
    #expect(waitUntil { !terminal.hasEcho })
    terminal.type(first + "\n")
    _ = terminal.read(until: "Repeat the new passphrase: ")
    #expect(waitUntil { !terminal.hasEcho })
    terminal.type(second + "\n")
    return (terminal.result(), vault)
  }

  @Test func `convert creates a vault if both passphrases are equal`() throws {
    try withTemporaryDirectory { directory in
      let (result, vault) = try Self.convert(
        typing: "open sesame", and: "open sesame", in: directory)
      let keys = try run("keys", vault, "--ask-passphrase", input: "open sesame\n")

      #expect(result.status == 0, "\(result.output)")
      #expect(keys.output.contains("theme"), "\(keys.errors)")
    }
  }

  @Test func `convert creates nothing if the passphrases differ`() throws {
    try withTemporaryDirectory { directory in
      let (result, vault) = try Self.convert(
        typing: "open sesame", and: "open sesam", in: directory)

      #expect(result.status == 64)
      #expect(result.output.contains("the two inputs differ"))
      #expect(!FileManager.default.fileExists(atPath: vault))
    }
  }
}
