import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of changes of vaults that are refused, and of what the errors recommend.
@Suite struct RefusedVaultChangeTests {
  @Test(arguments: [["rekey", "--new-key-file"], ["slots", "--add-key-file"]])
  func `a new key file is not created through a symbolic link without a target`(
    command: [String]
  ) throws {
    try withTemporaryDirectory { directory in
      let (vault, key) = (directory.appending(path: "vault"), directory.appending(path: "key"))
      let link = directory.appending(path: "new.key")
      _ = try VaultBackend(at: vault, unlockedBy: .keyFile(key))
      try FileManager.default.createSymbolicLink(
        atPath: link.path, withDestinationPath: "absent.key")
      let before = try Data(contentsOf: vault)

      let answer = try run(
        "vault", command[0], vault.path, "--key-file", key.path, command[1], link.path, "--write",
        "--yes")

      #expect(answer.status == 77)
      #expect(
        answer.errors.hasSuffix(
          """
          cannot create the key file "\(link.path)": the item at this path is a symbolic link to a \
          file that does not exist; correct or remove the link, or pass another path

          """), "\(answer.errors)")
      #expect(try Data(contentsOf: vault) == before)
    }
  }

  @Test(arguments: [["rekey"], ["slots", "--remove", "1"], ["slots", "--add-passphrase"]])
  func `the error of a change of a vault names --write and --yes together`(
    command: [String]
  ) throws {
    try withTemporaryDirectory { directory in
      let (fixture, before) = try VaultFixture.closed(in: directory)

      let answer = try run(
        ["vault", command[0], fixture.url.path, "--key-file", fixture.key.path]
          + command.dropFirst())

      #expect(answer.status == 64)
      #expect(answer.errors.contains("Add --write to allow this. The command asks"))
      #expect(answer.errors.contains("Add --yes to skip the question."), "\(answer.errors)")
      #expect(try Data(contentsOf: fixture.url) == before)
    }
  }

  @Test func `the error while another process writes to the vault suggests to wait`() throws {
    try withTemporaryDirectory { directory in
      let (vault, key) = (directory.appending(path: "vault"), directory.appending(path: "key"))
      let new = directory.appending(path: "new.key")
      let backend = try VaultBackend(at: vault, unlockedBy: .keyFile(key))

      let answer = try backend.withExclusiveAccess {
        try run(
          "vault", "slots", vault.path, "--key-file", key.path, "--add-key-file", new.path,
          "--write", "--yes")
      }

      #expect(answer.status == 75)
      #expect(answer.errors.hasSuffix("; repeat the command later, or pass --wait SECONDS\n"))
      #expect(!FileManager.default.fileExists(atPath: new.path))
    }
  }
}
