import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore
import UndercroftGDBM

@Suite struct ConvertCommandTests {
  @Test(arguments: EditLockTests.backends)
  func `convert copies all values to a backend, from which they can be converted back`(
    backend: String
  ) throws {
    try EditedHome.with { edited in
      let (out, back) = (edited.state.path + "-out", edited.state.path + "-back")
      let key = ["--key-file", edited.keyFile, "--reveal"]
      let settings = edited.home.url.appending(path: "settings")
      try edited.home.save("caf\u{e9}", as: "a/b \u{1}")

      let there = try edited.run(["convert", settings.path, out, "--to", backend] + key)
      let returned = try edited.run(["convert", out, back, "--to", "settings"] + key)

      #expect(there.status == 0, "\(there.errors)")
      #expect(there.output.hasPrefix("converted 3 values"))
      #expect(returned.status == 0, "\(returned.errors)")
      let old = try EditedHome.values(of: try JournalledBackend(at: settings))
      let new = try EditedHome.values(of: try JournalledBackend(at: URL(filePath: back)))
      #expect(new == old)
      #expect(old.count == 3)
    }
  }

  @Test(arguments: EditLockTests.backends)
  func `convert creates an empty store from an empty one`(backend: String) throws {
    try withTemporaryDirectory { folder in
      let (store, out) = (folder.appending(path: "a"), folder.appending(path: "b"))
      let key = folder.appending(path: "key")
      _ = try VaultBackend(at: folder.appending(path: "vault"), unlockedBy: .keyFile(key))
      _ = try JournalledBackend(at: store)

      let answer = try run(
        "convert", store.path, out.path, "--to", backend, "--key-file", key.path)

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(FileManager.default.fileExists(atPath: out.path))
      let keys = try run("keys", out.path, "--key-file", key.path)
      #expect(keys.status == 0, "\(keys.errors)")
      #expect(keys.output.isEmpty)
    }
  }

  @Test func `convert copies the values of one kind without changing the source`() throws {
    try EditedHome.with { edited in
      let before = try fileStates(in: edited.home.url)
      let out = edited.state.path + "-out"

      let answer = try edited.run("convert", out, "--kind", "blob", "--to", "gdbm")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try fileStates(in: edited.home.url) == before)
      let store = try BackendChoice.gdbm(at: URL(filePath: out)).open()
      #expect(try store.keys(withPrefix: "").sorted() == ["cover/dune", "cover/emma"])
      #expect(try store.read("cover/emma") == Data(count: 5_000))
    }
  }

  @Test func `a note gives the number of values in a new store that are no property lists`() throws
  {
    try EditedHome.with { edited in
      try Storage(home: edited.home.url)
        .save(["north": 3], for: StorageKey("shelves", kind: .document, default: [:]))
      let out = edited.state.path + "-out"
      let convert = { (kind: String, backend: String) throws -> ProgramResult in
        try edited.run("convert", "\(out)-\(kind)-\(backend)", "--kind", kind, "--to", backend)
      }

      let json = try convert("preference", "propertyLists")
      let lists = try convert("document", "propertyLists")
      let files = try convert("preference", "files")

      #expect(json.status == 0 && lists.status == 0 && files.status == 0)
      #expect(json.errors.hasPrefix("undercroft: 2 of 2 values are not in the format of property"))
      #expect(lists.errors.isEmpty && files.errors.isEmpty, "\(lists.errors)\(files.errors)")
    }
  }

  @Test func `convert does not replace an existing item`() throws {
    try EditedHome.with { edited in
      let out = edited.state.path + "-out"
      try Data("Dune".utf8).write(to: URL(filePath: out))

      let answer = try edited.run("convert", out, "--kind", "blob", "--to", "files")

      #expect(answer.status == 74)
      #expect(try Data(contentsOf: URL(filePath: out)) == Data("Dune".utf8))
    }
  }

  @Test func `convert refuses an existing path before it reads the new passphrase`() throws {
    try EditedHome.with { edited in
      let out = edited.state.path + "-out"
      try Data("Dune".utf8).write(to: URL(filePath: out))

      // The input is at its end, so reading a passphrase would be another error.
      let answer = try edited.run(
        "convert", out, "--kind", "blob", "--to", "vault", "--ask-passphrase")

      #expect(answer.status == 74)
      #expect(answer.errors.contains("exists already"), "\(answer.errors)")
      #expect(!answer.errors.contains("passphrase"))
    }
  }

  @Test(arguments: [("settings", ".journal"), ("sqlite", "-wal")])
  func `convert refuses a path beside which a file would become part of the new store`(
    backend: String, suffix: String
  ) throws {
    try EditedHome.with { edited in
      let out = edited.state.path + "-out"
      let other = URL(filePath: out + suffix)
      try Data("Dune".utf8).write(to: other)

      let answer = try edited.run("convert", out, "--kind", "blob", "--to", backend)

      #expect(answer.status == 74, "\(answer.errors)")
      #expect(answer.errors.contains(suffix))
      #expect(!FileManager.default.fileExists(atPath: out))
      #expect(try Data(contentsOf: other) == Data("Dune".utf8))
    }
  }

  @Test func `convert stores confidential values without encryption only with --reveal`() throws {
    try EditedHome.with { edited in
      let out = edited.state.path + "-out"
      let arguments = [
        "convert", edited.home.url.path, out, "--kind", "secret", "--to", "files", "--key-file",
        edited.keyFile,
      ]

      let refused = try edited.run(arguments)
      let folder = edited.state.deletingLastPathComponent().path
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      let answer = try edited.run(arguments + ["--reveal"])

      #expect(refused.status == 77)
      #expect(refused.errors.contains("--reveal"))
      #expect(left == ["home"])
      #expect(answer.status == 0, "\(answer.errors)")
    }
  }

  @Test(arguments: [[], ["--key-file", "/nowhere/vault.key"]])
  func `convert to a vault without a key names the options that pass one`(
    arguments: [String]
  ) throws {
    try EditedHome.with { edited in
      let out = edited.state.path + "-out"

      let answer = try edited.run(
        ["convert", edited.home.url.path, out, "--kind", "blob", "--to", "vault"] + arguments)

      #expect(answer.status == 77)
      #expect(answer.errors.contains("--key-file") && answer.errors.contains("--ask-passphrase"))
      #expect(!answer.errors.contains(".undercroft-"))
      #expect(!FileManager.default.fileExists(atPath: out))
    }
  }

  @Test func `convert reads the passphrase of a new vault from standard input`() throws {
    try EditedHome.with { edited in
      let out = edited.state.path + "-out"

      let answer = try edited.run(
        [
          "convert", edited.home.url.path, out, "--kind", "preference", "--to", "vault",
          "--ask-passphrase",
        ], input: "open sesame\n")
      let keys = try edited.run(["keys", out, "--ask-passphrase"], input: "open sesame\n")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(keys.output.contains("theme"), "\(keys.errors)")
    }
  }

  @Test func `convert refuses tables, several stores and unknown backends`() throws {
    try EditedHome.with { edited in
      let out = edited.state.path + "-out"

      let tables = try edited.run("convert", out, "--kind", "record", "--to", "files")
      let several = try edited.run("convert", out, "--to", "files")
      let unknown = try edited.run("convert", out, "--kind", "blob", "--to", "paper")

      #expect(tables.status == 65)
      #expect(tables.errors.contains("tables"))
      #expect(several.status == 66)
      #expect(several.errors.contains("--kind"))
      #expect(unknown.status == 64)
      #expect(unknown.errors.contains("gdbm"))
      #expect(!FileManager.default.fileExists(atPath: out))
    }
  }
}
