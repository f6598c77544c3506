import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests of the check of `doctor` and `advise` where the key file of a vault is.
@Suite struct KeyFileCheckTests {
  /// Creates a home whose key file is in `keys`, and returns the findings about key files.
  private static func findings(
    home: URL, keys: URL?, path: String? = nil
  ) throws -> [[String: String]] {
    let storage = try Storage(home: home, keys: keys)
    try storage.save("1815", for: StorageKey("pin", kind: .secret, default: ""))
    try storage.save(Data(count: 32), for: StorageKey("seal", kind: .blob, default: Data()))
    let output = try run("doctor", path ?? home.path, "--format", "json").output
    let rows = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: String]]
    return try #require(rows).filter { $0["check"] == "key file" }
  }

  @Test(arguments: ["", "/"])
  func `the key file in the folder that Storage(home:) chooses is a note with another place`(
    end: String
  ) throws {
    try withTemporaryDirectory { directory in
      let found = try Self.findings(home: directory, keys: nil, path: directory.path + end)

      #expect(found.map { $0["state"] } == ["note"])
      #expect(found.first?["text"]?.contains("keys/vault.key") == true)
      #expect(found.first?["text"]?.contains("secrets/vault") == true)
      #expect(found.first?["suggestion"]?.contains("Storage(home: home, keys: folder)") == true)
    }
  }

  /// The names of the second and third folder begin with that of a store.
  @Test(arguments: ["desk", "blobs-old", "settings.d/keys"])
  func `a key file in another folder of the home is a warning`(folder: String) throws {
    try withTemporaryDirectory { directory in
      let keys = directory.appending(path: folder)

      let found = try Self.findings(home: directory, keys: keys)

      #expect(found.map { $0["state"] } == ["warning"])
      #expect(found.first?["text"]?.contains(" \(folder)/vault.key,") == true)
    }
  }

  @Test func `a key file outside of the home is no finding, also if the home has a wrong key`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = directory.appending(path: "home")
      try FileManager.default.createDirectory(
        at: home.appending(path: "keys"), withIntermediateDirectories: true)
      let other = home.appending(path: "keys/vault.key")
      try Data(repeating: 7, count: 32).write(to: other)
      #expect(chmod(other.path, 0o600) == 0)

      let found = try Self.findings(home: home, keys: directory.appending(path: "keys"))

      #expect(found.isEmpty)
    }
  }

  @Test(arguments: ["", "/"])
  func `advise has the text and the suggestion of doctor as a note, and ends with status 0`(
    end: String
  ) throws {
    try withTemporaryDirectory { directory in
      let found = try #require(try Self.findings(home: directory, keys: nil).first)

      let rows = try rowsOfJSON(run("advise", directory.path + end, "--format", "json").output)
      let text = try run("advise", directory.path + end)
      let ignored = try run("advise", directory.path + end, "--ignore", "key-in-home")

      let row = try #require(rows.first)
      #expect(rows.count == 1)
      #expect(row["rule"] as? String == "key-in-home")
      #expect(row["severity"] as? String == "note")
      #expect(row["kind"] as? String == "secret")
      #expect(row["subject"] as? String == "keys/vault.key")
      #expect(row["reason"] as? String == found["text"])
      #expect(row["fix"] as? String == found["suggestion"])
      #expect(text.status == 0)
      #expect(text.output.hasPrefix("note: key-in-home: secret: keys/vault.key\n"))
      #expect(text.errors.contains("no advice other than notes: 1 store was examined"))
      #expect(ignored.output.isEmpty)
    }
  }

  @Test func `advise has no note about a key elsewhere, or about a vault passed by its own path`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (home, other) = (directory.appending(path: "home"), directory.appending(path: "other"))
      _ = try Self.findings(home: home, keys: directory.appending(path: "keys"))
      _ = try Self.findings(home: other, keys: nil)

      let elsewhere = try run("advise", home.path)
      let single = try run("advise", other.path + "/secrets/vault")

      #expect([elsewhere.status, single.status] == [0, 0])
      #expect(elsewhere.output.isEmpty && single.output.isEmpty)
    }
  }

  @Test func `a note does not hide that other advice ends advise with status 1`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try home.save("open sesame", as: "api_token")

      let answer = try home.run("advise")

      #expect(answer.status == 1)
      #expect(answer.output.contains("note: key-in-home: "))
      #expect(!answer.errors.contains("no advice"))
    }
  }
}
