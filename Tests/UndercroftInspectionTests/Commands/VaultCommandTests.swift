import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of the commands for vaults: `vault status`, `slots`, `rekey` and `verify`.
@Suite struct VaultCommandTests {
  private static let passphrase = VaultKey.passphrase("open sesame", logRounds: 4)

  /// A vault with secrets of a library, which a key file and a passphrase open.
  private struct Fixture {
    let url: URL
    let key: URL
    /// The backend that created the vault, until the fixture releases it.
    private(set) var backend: VaultBackend?

    init(_ directory: URL, entryCount: Int = 2) throws {
      url = directory.appending(path: "vault")
      key = directory.appending(path: "vault.key")
      let backend = try VaultBackend(at: url, unlockedBy: .keyFile(key))
      try backend.apply(
        (0..<entryCount).map { .set("reader-\($0)", Data("horse battery \($0)".utf8)) })
      try backend.add(VaultCommandTests.passphrase)
      self.backend = backend
    }

    /// Closes the vault in this process.
    mutating func close() { backend = nil }

    func run(_ command: String, _ arguments: String..., input: String = "") throws
      -> ProgramResult
    {
      try UndercroftInspectionTests.run(["vault", command, url.path] + arguments, input: input)
    }

    func rows(_ command: String, _ arguments: String...) throws -> [[String: Any]] {
      let answer = try UndercroftInspectionTests.run(
        ["vault", command, url.path] + arguments + ["--format", "json"])
      #expect(answer.errors.isEmpty)
      return try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [[String: Any]]
        ?? []
    }

    func opens(_ key: VaultKey) -> Bool {
      guard let opened = try? VaultBackend(at: url, unlockedBy: key, createsMissing: false) else {
        return false
      }
      return (try? opened.read("reader-0")) == Data("horse battery 0".utf8)
    }
  }

  @Test func `status without a key shows the slots of a locked vault, and no secrets`() throws {
    try withTemporaryDirectory { directory in
      let fixture = try Fixture(directory)

      let answer = try fixture.run("status")

      #expect(answer.status == 0)
      #expect(answer.output.contains("locked"))
      #expect(answer.output.contains("1: key file"))
      #expect(answer.output.contains("2: passphrase, scrypt N=2^4 r=8 p=1"))
      #expect(answer.output.contains("0600"))
      #expect(!answer.output.contains("reader") && !answer.output.contains("horse"))
    }
  }

  @Test func `status with a key counts the entries, and names the process that uses the vault`()
    throws
  {
    try withTemporaryDirectory { directory in
      let fixture = try Fixture(directory)

      let row = try #require(
        try fixture.rows("status", "--key-file", fixture.key.path).first)

      #expect(row["state"] as? String == "unlocked")
      #expect(row["entries"] as? Int == 2)
      let slots = try #require(row["slots"] as? [[String: Any]])
      #expect(slots.map { $0["opened"] as? Bool } == [true, false])
      let openers = try #require(row["openedBy"] as? [String])
      #expect(openers.contains { $0.hasSuffix("(\(getpid()))") }, "\(openers)")
      withExtendedLifetime(fixture) {}
    }
  }

  @Test func `status reads a passphrase from standard input, and no process has the vault open`()
    throws
  {
    try withTemporaryDirectory { directory in
      var fixture = try Fixture(directory)
      fixture.close()

      let answer = try fixture.run("status", "--ask-passphrase", input: "open sesame\n")

      #expect(answer.status == 0)
      #expect(answer.output.contains("unlocked"))
      #expect(!answer.output.contains("openedBy"))
    }
  }

  @Test(arguments: ["status", "slots", "verify"])
  func `a wrong passphrase ends each command with status 77`(command: String) throws {
    try withTemporaryDirectory { directory in
      let fixture = try Fixture(directory)

      let answer = try fixture.run(command, "--ask-passphrase", input: "open barley\n")

      #expect(answer.status == 77)
      #expect(answer.output.isEmpty)
      #expect(!answer.errors.contains("barley"))
    }
  }

  @Test(arguments: [["vault", "verify"], ["keys"], ["stat"], ["top"], ["check"]])
  func `the error of a locked vault names the options that pass its key`(
    command: [String]
  ) throws {
    try withTemporaryDirectory { directory in
      var fixture = try Fixture(directory)
      fixture.close()

      let answer = try UndercroftInspectionTests.run(command + [fixture.url.path])
      let elsewhere = try UndercroftInspectionTests.run(
        command + [fixture.url.path, "--key-file", "/no/such/key"])

      let text = answer.output + answer.errors
      #expect(answer.status == 77)
      #expect(text.contains("pass --key-file FILE or --ask-passphrase"), "\(text)")
      #expect((elsewhere.output + elsewhere.errors).contains("/no/such/key"))
    }
  }

  @Test func `the commands that only read change neither a byte nor a time`() throws {
    try withTemporaryDirectory { directory in
      var fixture = try Fixture(directory)
      fixture.close()
      let before = try fileStates(in: directory)

      for command in ["status", "slots", "verify"] {
        let answer = try fixture.run(command, "--key-file", fixture.key.path)
        #expect(answer.status == 0, "\(command)")
      }
      #expect(try fixture.run("slots", "--remove", "1").status == 64)
      #expect(try fixture.run("rekey", "--key-file", fixture.key.path).status == 64)

      #expect(try fileStates(in: directory) == before)
    }
  }

  @Test func `verify finds a damaged record, and the damaged vault cannot be rekeyed`() throws {
    try withTemporaryDirectory { directory in
      var fixture = try Fixture(directory)
      fixture.close()
      var bytes = try Data(contentsOf: fixture.url)
      bytes[bytes.count - 20] ^= 1
      try bytes.write(to: fixture.url)

      let answer = try fixture.run("verify", "--key-file", fixture.key.path)
      let rekeying = try fixture.run(
        "rekey", "--key-file", fixture.key.path, "--write", "--yes", "--allow-losing-access")

      #expect(answer.status == 65)
      #expect(answer.output.contains("damaged"))
      #expect(rekeying.status == 65)
      #expect(try Data(contentsOf: fixture.url) == bytes)
    }
  }

  @Test func `a vault that is cut within a record is whole, and one that is cut early is damaged`()
    throws
  {
    try withTemporaryDirectory { directory in
      var fixture = try Fixture(directory)
      fixture.close()
      let bytes = try Data(contentsOf: fixture.url)

      try bytes.dropLast(30).write(to: fixture.url)
      let torn = try fixture.run("verify", "--key-file", fixture.key.path)
      try bytes.prefix(200).write(to: fixture.url)
      let cut = try fixture.run("verify", "--key-file", fixture.key.path)
      let status = try fixture.run("status")

      #expect(torn.status == 0)
      #expect(torn.errors.contains("interrupted"))
      #expect(cut.status == 65 || cut.status == 66)
      #expect(status.status == cut.status)
    }
  }

  @Test func `a passphrase that was added opens the vault, and an added key file is created`()
    throws
  {
    try withTemporaryDirectory { directory in
      let fixture = try Fixture(directory)
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
      var fixture = try Fixture(directory)
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
      #expect(fixture.opens(Self.passphrase))
    }
  }

  @Test func `a key file is removed without loss of access if the passphrase is given as well`()
    throws
  {
    try withTemporaryDirectory { directory in
      var fixture = try Fixture(directory)
      fixture.close()

      let removed = try fixture.run(
        "slots", "--key-file", fixture.key.path, "--ask-passphrase", "--remove", "1", "--write",
        "--yes", input: "open sesame\n")

      #expect(removed.status == 0, "\(removed.errors)")
      #expect(!fixture.opens(.keyFile(fixture.key)))
      #expect(fixture.opens(Self.passphrase))
    }
  }

  @Test func `rekeying retains all given keys, and needs a flag to lose another one`() throws {
    try withTemporaryDirectory { directory in
      var fixture = try Fixture(directory)
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
      var fixture = try Fixture(directory)
      let before = try Data(contentsOf: fixture.url)
      let arguments = [
        "vault", "rekey", fixture.url.path, "--key-file", fixture.key.path, "--write", "--yes",
        "--allow-losing-access",
      ]

      let refused = try run(arguments)
      let late = try run(arguments + ["--wait", "0.3"])
      #expect([refused.status, late.status] == [75, 75])
      #expect(refused.errors.contains("(\(getpid()))"))
      #expect(try Data(contentsOf: fixture.url) == before)

      let waiting = try Program.inspector.start(arguments + ["--wait", "60"])
      Thread.sleep(forTimeInterval: 0.3)
      #expect(waiting.isRunning)
      fixture.close()
      let done = try waiting.result()

      #expect(done.status == 0, "\(done.errors)")
      #expect(fixture.opens(.keyFile(fixture.key)))
      #expect(!fixture.opens(Self.passphrase))
    }
  }

  @Test(arguments: [(answer: "y", isChanged: true), (answer: "n", isChanged: false)])
  func `a change of a vault is confirmed on a terminal`(answer: String, isChanged: Bool) throws {
    try withTemporaryDirectory { directory in
      var fixture = try Fixture(directory)
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
      var fixture = try Fixture(directory)
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
      var fixture = try Fixture(directory, entryCount: 2_000)
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
        Thread.sleep(forTimeInterval: duration * (0.2 + Double(round) / 25))
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

  @Test func `status shows the permissions that prevent opening a vault, and how to correct them`()
    throws
  {
    try withTemporaryDirectory { directory in
      let fixture = try Fixture(directory)
      #expect(chmod(fixture.url.path, 0o644) == 0)

      let status = try fixture.run("status", "--key-file", fixture.key.path)
      let verification = try fixture.run("verify", "--key-file", fixture.key.path)

      #expect(status.status == 0)
      #expect(status.output.contains("0644") && status.output.contains("chmod 600"))
      #expect(verification.status == 77)
    }
  }

  @Test func `the vault of a home is found, and a store that is not a vault is not`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let status = try run("vault", "status", home.url.path)
      let other = try run("vault", "status", home.url.path, "--kind", "record")

      #expect(status.status == 0)
      #expect(status.output.contains("secrets/vault"))
      #expect(other.status == 66)
      #expect(other.errors.contains("is a vault"))
    }
  }
}
