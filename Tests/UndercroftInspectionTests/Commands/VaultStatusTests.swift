import Foundation
import TestSupport
import Testing

/// Tests of the commands that only read a vault: `vault status`, `vault slots` and `vault verify`.
@Suite struct VaultStatusTests {
  @Test func `status without a key shows the slots of a locked vault, and no secrets`() throws {
    try withTemporaryDirectory { directory in
      let fixture = try VaultFixture(directory)

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
      let fixture = try VaultFixture(directory)

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
      var fixture = try VaultFixture(directory)
      fixture.close()

      let answer = try fixture.run("status", "--ask-passphrase", input: "open sesame\n")

      #expect(answer.status == 0)
      #expect(answer.output.contains("unlocked"))
      #expect(!answer.output.contains("openedBy"))
    }
  }

  @Test func `status shows the permissions that prevent opening a vault, and how to correct them`()
    throws
  {
    try withTemporaryDirectory { directory in
      let fixture = try VaultFixture(directory)
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

  @Test(arguments: ["status", "slots", "verify"])
  func `a wrong passphrase ends each command with status 77`(command: String) throws {
    try withTemporaryDirectory { directory in
      let fixture = try VaultFixture(directory)

      let answer = try fixture.run(command, "--ask-passphrase", input: "open barley\n")

      #expect(answer.status == 77)
      #expect(answer.output.isEmpty)
      #expect(!answer.errors.contains("barley"))
    }
  }

  @Test func `the commands that only read change neither a byte nor a time`() throws {
    try withTemporaryDirectory { directory in
      var fixture = try VaultFixture(directory)
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
      var fixture = try VaultFixture(directory)
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
      var fixture = try VaultFixture(directory)
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
}
