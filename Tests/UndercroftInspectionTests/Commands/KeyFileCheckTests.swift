import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests of the check of `doctor` where the key file of a vault is.
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
      #expect(found.first?["suggestion"]?.contains("Storage(home:keys:)") == true)
    }
  }

  /// The names of the second and third folder begin with that of a store.
  @Test(arguments: ["desk", "blobs-old", "settings.d/keys"])
  func `a key file in another folder of the home is a warning`(folder: String) throws {
    try withTemporaryDirectory { directory in
      let keys = directory.appending(path: folder)

      let found = try Self.findings(home: directory, keys: keys)

      #expect(found.map { $0["state"] } == ["warning"])
      #expect(found.first?["text"]?.contains(keys.path + "/vault.key") == true)
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
}
