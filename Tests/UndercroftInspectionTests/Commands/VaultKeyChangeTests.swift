import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of the commands that change the keys of a vault: `vault slots` and `vault rekey`.
@Suite struct VaultKeyChangeTests {
  @Test func `a passphrase that was added opens the vault, and an added key file is created`()
    throws
  {
    try withTemporaryDirectory { directory in
      let fixture = try VaultFixture(directory)
      let new = directory.appending(path: "new.key")

      let added = try fixture.run(
        "slots", "--key-file", fixture.key.path, "--add-passphrase", "--write", "--yes",
        input: "open barley\n")
      let created = try fixture.run(
        "slots", "--ask-passphrase", "--add-key-file", new.path, "--write", "--yes",
        input: "open barley\n")
      let again = try fixture.run(
        "slots", "--key-file", fixture.key.path, "--add-key-file", new.path, "--write", "--yes")

      #expect(added.status == 0, "\(added.errors)")
      #expect(created.status == 0, "\(created.errors)")
      #expect(again.status == 64)
      #expect(again.errors.contains("opens the slot 4 already"))
      #expect(fixture.opens(.passphrase("open barley")))
      #expect(fixture.opens(.keyFile(new)))
      #expect(fixture.opens(.keyFile(fixture.key)))
    }
  }

  @Test func `the slot of the only given key is removed only with the flag for a loss of access`()
    throws
  {
    try withTemporaryDirectory { directory in
      var fixture = try VaultFixture(directory)
      fixture.close()
      let key = fixture.key.path

      let refused = try fixture.run(
        "slots", "--key-file", key, "--remove", "1", "--write", "--yes")
      let unknown = try fixture.run(
        "slots", "--key-file", key, "--remove", "3", "--write", "--yes")
      #expect([refused.status, unknown.status] == [64, 64])
      #expect(refused.errors.contains("--allow-losing-access"))
      #expect(fixture.opens(.keyFile(fixture.key)))

      let removed = try fixture.run(
        "slots", "--key-file", key, "--remove", "1", "--write", "--yes", "--allow-losing-access")
      let last = try fixture.run(
        "slots", "--ask-passphrase", "--remove", "1", "--write", "--yes", "--allow-losing-access",
        input: "open sesame\n")

      #expect(removed.status == 0, "\(removed.errors)")
      #expect(last.status == 64)
      #expect(!fixture.opens(.keyFile(fixture.key)))
      #expect(fixture.opens(VaultFixture.passphrase))
    }
  }

  @Test func `a key file is removed without loss of access if the passphrase is given as well`()
    throws
  {
    try withTemporaryDirectory { directory in
      var fixture = try VaultFixture(directory)
      fixture.close()

      let removed = try fixture.run(
        "slots", "--key-file", fixture.key.path, "--ask-passphrase", "--remove", "1", "--write",
        "--yes", input: "open sesame\n")

      #expect(removed.status == 0, "\(removed.errors)")
      #expect(!fixture.opens(.keyFile(fixture.key)))
      #expect(fixture.opens(VaultFixture.passphrase))
    }
  }

  @Test func `rekeying retains all given keys, and needs a flag to lose another one`() throws {
    try withTemporaryDirectory { directory in
      var fixture = try VaultFixture(directory)
      fixture.close()
      let before = try Data(contentsOf: fixture.url)
      let key = fixture.key.path

      let refused = try fixture.run("rekey", "--key-file", key, "--write", "--yes")
      #expect(refused.status == 64)
      #expect(refused.errors.contains("2 (passphrase)"))
      #expect(try Data(contentsOf: fixture.url) == before)

      let both = try fixture.run(
        "rekey", "--key-file", key, "--ask-passphrase", "--write", "--yes",
        input: "open sesame\n")
      #expect(both.status == 0, "\(both.errors)")
      #expect(fixture.opens(.keyFile(fixture.key)))
      #expect(fixture.opens(.passphrase("open sesame")))

      let new = directory.appending(path: "new.key")
      let one = try fixture.run(
        "rekey", "--key-file", key, "--new-key-file", new.path, "--write", "--yes",
        "--allow-losing-access")
      #expect(one.status == 0, "\(one.errors)")
      #expect(fixture.opens(.keyFile(new)))
      #expect(!fixture.opens(.keyFile(fixture.key)))
      #expect(!fixture.opens(.passphrase("open sesame")))
    }
  }

  @Test func `rekeying is refused while another process has the vault open, or waits for it`()
    throws
  {
    try withTemporaryDirectory { directory in
      var fixture = try VaultFixture(directory)
      let before = try Data(contentsOf: fixture.url)
      let arguments = [
        "vault", "rekey", fixture.url.path, "--key-file", fixture.key.path, "--write", "--yes",
        "--allow-losing-access",
      ]

      let refused = try run(arguments)
      let late = try run(arguments + ["--wait", "0.3"])
      #expect([refused.status, late.status] == [75, 75])
      #expect(refused.errors.contains("(\(getpid()))"))
      #expect(refused.errors.hasSuffix("; end these processes, or pass --wait SECONDS\n"))
      #expect(try Data(contentsOf: fixture.url) == before)

      let waiting = try Program.inspector.start(arguments + ["--wait", "60"])
      Thread.sleep(forTimeInterval: 0.3)
      #expect(waiting.isRunning)
      fixture.close()
      let done = try waiting.result()

      #expect(done.status == 0, "\(done.errors)")
      #expect(fixture.opens(.keyFile(fixture.key)))
      #expect(!fixture.opens(VaultFixture.passphrase))
    }
  }

  @Test(arguments: [(answer: "y", isChanged: true), (answer: "n", isChanged: false)])
  func `a change of a vault is confirmed on a terminal`(answer: String, isChanged: Bool) throws {
    try withTemporaryDirectory { directory in
      var fixture = try VaultFixture(directory)
      fixture.close()
      let before = try Data(contentsOf: fixture.url)
      let terminal = try PseudoTerminal(
        Program.inspector,
        [
          "vault", "slots", fixture.url.path, "--key-file", fixture.key.path, "--ask-passphrase",
          "--remove", "2", "--write",
        ], size: .init(columns: 200, lines: 24), environment: [:])

      try terminal.expect("Passphrase: ")
      terminal.type("open sesame\n")
      try terminal.expect("Remove the slot 2 of the vault \"\(fixture.url.path)\"? [y/N]")
      let status = terminal.statusAfterTyping("\(answer)\n")

      #expect(status == (isChanged ? 0 : 1))
      #expect(try (Data(contentsOf: fixture.url) != before) == isChanged)
    }
  }

  @Test(arguments: ["slots", "rekey"])
  func `a vault is not changed without a terminal for the question or the flag yes`(
    command: String
  ) throws {
    try withTemporaryDirectory { directory in
      var fixture = try VaultFixture(directory)
      fixture.close()
      let before = try Data(contentsOf: fixture.url)
      let change = command == "slots" ? ["--remove", "1"] : ["--allow-losing-access"]

      let answer = try run(
        ["vault", command, fixture.url.path, "--key-file", fixture.key.path, "--write"] + change)

      #expect(answer.status == 64)
      #expect(answer.errors.contains("Add --yes to skip the question"))
      #expect(try Data(contentsOf: fixture.url) == before)
    }
  }

  @Test(.heavy) func `a kill during rekeying leaves the old or the new vault whole`() throws {
    try withTemporaryDirectory { directory in
      var fixture = try VaultFixture(directory, entryCount: 2_000)
      fixture.close()
      let new = directory.appending(path: "new.key")
      // The duration of a whole run, which the kills divide.
      var keys = (fixture.key, new)
      let start = ContinuousClock.now
      _ = try rekey(fixture.url, keys.0, keys.1).result()
      let duration = (ContinuousClock.now - start) / .seconds(1)
      keys = (keys.1, keys.0)
      var results = (old: 0, new: 0)

      for round in 0..<25 {
        let running = try rekey(fixture.url, keys.0, keys.1)
        Thread.sleep(forTimeInterval: duration * Double(round) / 20)
        running.send(SIGKILL)
        _ = try running.result()

        let isOld = fixture.opens(.keyFile(keys.0))
        let isNew = fixture.opens(.keyFile(keys.1))
        #expect(isOld != isNew, "round \(round)")
        let current = isNew ? keys.1 : keys.0
        let vault = try VaultBackend(at: fixture.url, unlockedBy: .keyFile(current))
        #expect(try vault.keys(withPrefix: "").count == 2_000, "round \(round)")
        if isNew {
          results.new += 1
          keys = (keys.1, keys.0)
        } else {
          results.old += 1
        }
      }

      // Opening the vault has removed the temporary files of the killed runs.
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(!names.contains { $0.hasPrefix(".undercroft-") })
      #expect(results.old > 0, "no run was killed before its end")
    }
  }

  /// Starts rekeying a vault from one key file to another.
  private func rekey(_ vault: URL, _ old: URL, _ new: URL) throws -> RunningProgram {
    try Program.inspector.start([
      "vault", "rekey", vault.path, "--key-file", old.path, "--new-key-file", new.path, "--write",
      "--yes", "--allow-losing-access",
    ])
  }
}
