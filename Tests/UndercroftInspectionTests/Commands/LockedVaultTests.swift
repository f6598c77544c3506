import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests of what the commands say about a vault whose key is not given.
@Suite struct LockedVaultTests {
  /// The error that every command reports.
  private static func error(about vault: URL) -> String {
    """
    cannot open "\(vault.path)": the vault is locked, because no key was given; pass --key-file FILE \
    or --ask-passphrase
    """
  }

  /// Commands that need the key of a vault, with `VAULT` instead of its path.
  private static let commands = [
    ["vault", "verify", "VAULT"], ["vault", "rekey", "VAULT", "--write", "--yes"],
    ["vault", "slots", "VAULT", "--remove", "1", "--write", "--yes"], ["keys", "VAULT"],
    ["stat", "VAULT"], ["top", "VAULT"], ["check", "VAULT"],
    ["get", "VAULT", "reader-0", "--reveal", "--yes"],
    ["set", "VAULT", "reader-0", "Ada", "--encoding", "text", "--write", "--yes", "--no-undo"],
    ["rm", "VAULT", "reader-0", "--write", "--yes", "--no-undo"],
    ["convert", "VAULT", "VAULT.copy", "--to", "settings", "--reveal"],
  ]

  @Test(arguments: commands)
  func `each command that needs the key reports the same error with status 77`(
    command: [String]
  ) throws {
    try withTemporaryDirectory { directory in
      let (fixture, before) = try VaultFixture.closed(in: directory)
      let arguments = command.map { $0.replacing("VAULT", with: fixture.url.path) }

      let answer = try run(arguments)
      let elsewhere = try run(arguments + ["--key-file", "/no/such/key"])

      let text = answer.output + answer.errors
      #expect(answer.status == 77, "\(text)")
      #expect(text.contains(Self.error(about: fixture.url)), "\(text)")
      #expect((elsewhere.output + elsewhere.errors).contains("/no/such/key"))
      #expect(try Data(contentsOf: fixture.url) == before)
    }
  }

  /// Commands on a home with other stores, without the path of the home.
  private static let homeCommands = [
    ["check"], ["ls"], ["info"], ["stat"], ["keys"], ["top"], ["du"], ["rows"], ["advise"],
    ["find", "Emma"], ["query", "SELECT 1"], ["get", "pin"], ["tree", "pin"],
    ["set", "pin", "1", "--encoding", "text", "--write", "--yes", "--no-undo"],
    ["rm", "pin", "--write", "--yes", "--no-undo"],
  ]

  @Test(arguments: homeCommands)
  func `a command on a home with a vault fails if the key file does not exist or is another one`(
    command: [String]
  ) throws {
    try withHome { home, directory in
      let other = directory.url.appending(path: "other.key")
      try Data(count: 32).write(to: other)
      #expect(chmod(other.path, 0o600) == 0)
      let arguments = [command[0], home.url.path] + command.dropFirst() + ["--key-file"]

      let missing = try run(arguments + ["/no/such/key"])
      let wrong = try run(arguments + [other.path])

      let text = missing.output + missing.errors
      #expect([missing.status, wrong.status] == [77, 77], "\(text)\(wrong.errors)")
      #expect(
        text.contains(
          """
          cannot read the key file "/no/such/key": the file does not exist; correct the path in \
          --key-file, or pass --ask-passphrase instead
          """), "\(text)")
    }
  }

  @Test func `diff fails if the key file does not exist and one of the homes has a vault`() throws {
    try withHome { home, directory in
      let plain = directory.url.appending(path: "plain")
      try Storage(home: plain).save(
        "dark", for: StorageKey("theme", kind: .preference, default: ""))

      let answer = try home.run("diff", plain.path, "--key-file", "/no/such/key")

      #expect(answer.status == 77, "\(answer.errors)")
      #expect(answer.errors.contains("correct the path in --key-file"))
    }
  }

  @Test func `a key file that does not exist is no failure if no selected store needs a key`()
    throws
  {
    try withHome { home, _ in
      let arguments = ["--kind", "preference", "--key-file", "/no/such/key"]

      for command in ["check", "ls", "keys"] {
        let answer = try run([command, home.url.path] + arguments)

        #expect(answer.status == 0, "\(answer.errors)")
        #expect(answer.errors.isEmpty)
      }
    }
  }

  @Test(arguments: ["get", "tree"])
  func `a value of an unlocked vault in a home is reported as confidential without --reveal`(
    command: String
  ) throws {
    try withHome { home, _ in
      let key = home.url.appending(path: "keys/vault.key").path

      let selected = try home.run(command, "pin", "--key-file", key, "--kind", "secret")
      let unlocked = try home.run(command, "pin", "--key-file", key)
      let absent = try home.run(command, "pim", "--key-file", key)
      let locked = try home.run(command, "pin")

      #expect(unlocked.status == 77)
      #expect(unlocked.errors == selected.errors)
      #expect(unlocked.errors.contains("is confidential; add --reveal --yes to show the value"))
      #expect(unlocked.output.isEmpty)
      #expect(absent.status == 66)
      #expect(locked.status == 66)
    }
  }

  @Test func `get without --reveal names all missing options, and only --reveal with the key`()
    throws
  {
    try withTemporaryDirectory { directory in
      var fixture = try VaultFixture(directory)
      fixture.close()

      let locked = try run("get", fixture.url.path, "reader-0")
      let opened = try run("get", fixture.url.path, "reader-0", "--key-file", fixture.key.path)

      #expect([locked.status, opened.status] == [77, 77])
      #expect(
        locked.errors.contains(
          Self.error(about: fixture.url) + ", and --reveal --yes to show the value"),
        "\(locked.errors)")
      #expect(opened.errors.contains("is confidential; add --reveal --yes to show the value"))
      #expect(!opened.errors.contains("--key-file"))
    }
  }

  @Test func `ls, info and vault status say that the vault is locked, with status 0`() throws {
    try withTemporaryDirectory { directory in
      var fixture = try VaultFixture(directory)
      fixture.close()

      let list = try run("ls", fixture.url.path)
      let info = try run("info", fixture.url.path)
      let status = try run("vault", "status", fixture.url.path)
      let unlocked = try run("info", fixture.url.path, "--key-file", fixture.key.path)

      for answer in [list, info, status] {
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(answer.output.contains(#/\blocked\b/#), "\(answer.output)")
      }
      #expect(info.output.contains(#/\nentries +locked\n/#), "\(info.output)")
      #expect(unlocked.output.contains(#/\nentries +2\n/#), "\(unlocked.output)")
      let row = try #require(
        try rowsOfJSON(run("info", fixture.url.path, "--format", "json").output).first)
      #expect(row["entries"] == nil)
    }
  }

  @Test(arguments: ["keys", "stat", "top", "check", "advise"])
  func `a locked vault beside other stores is noted with the same sentence and no failure`(
    command: String
  ) throws {
    try withHome { home, _ in
      let answer = try home.run(command)

      let vault = home.url.appending(path: "secrets/vault")
      #expect(answer.status == 0, "\(answer.errors)")
      #expect((answer.output + answer.errors).contains(Self.error(about: vault)))
    }
  }

  @Test func `a locked vault that a home uses for preferences is no failure either`() throws {
    try withTemporaryDirectory { directory in
      let home = directory.appending(path: "home")
      let vault = home.appending(path: "desk")
      var storage = try Storage(home: home)
      try storage.use(
        .vault(at: vault, unlockedBy: .keyFile(directory.appending(path: "key"))), for: .preference)
      try storage.save("dark", for: StorageKey("theme", kind: .preference, default: ""))
      try storage.save("sepia", for: StorageKey("paper", kind: .document, default: ""))

      let answer = try run("keys", home.path)

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.contains("paper"))
      #expect(answer.errors.contains(Self.error(about: vault)), "\(answer.errors)")
    }
  }
}
