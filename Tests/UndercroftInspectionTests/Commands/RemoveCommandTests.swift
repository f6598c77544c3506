import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

@Suite struct RemoveCommandTests {
  @Test func `rm removes values, and its undo restores them`() throws {
    try EditedHome.with { edited in
      let key = StorageKey("cover/dune", kind: .blob, default: Data())
      let bytes = Data((0...255).map { UInt8($0) })
      try Storage(home: edited.home.url).save(bytes, for: key)

      let answer = try edited.run(
        "rm", "cover/dune", "cover/emma", "cover/dune", "--kind", "blob", "--write", "--yes")

      #expect(answer.output.hasPrefix("removed 2 values\n"), "\(answer.errors)")
      #expect(try Storage(home: edited.home.url).names(of: .blob).isEmpty)

      let undo = try #require(try edited.undoFiles.first)
      try edited.run("import", undo.path, "--write", "--yes")

      let storage = try Storage(home: edited.home.url)
      #expect(try storage.load(key) == bytes)
      #expect(try storage.names(of: .blob).sorted() == ["cover/dune", "cover/emma"])
    }
  }

  @Test func `rm removes nothing if one of the names does not exist`() throws {
    try EditedHome.with { edited in
      let answer = try edited.run(
        "rm", "theme", "colour", "--kind", "preference", "--write", "--yes")

      #expect(answer.status == 66)
      #expect(answer.errors.contains("colour"))
      #expect(try edited.preference("theme") == "dark")
    }
  }

  @Test func `undo files are readable only by the user`() throws {
    try EditedHome.with { edited in
      try edited.run("rm", "theme", "--kind", "preference", "--write", "--yes")

      let file = try #require(try edited.undoFiles.first)
      let modes = try [file, file.deletingLastPathComponent()].map { url in
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
      }
      #expect(modes == [0o600, 0o700])
    }
  }

  @Test func `rm changes nothing if other users can read the folder of undo files`() throws {
    try EditedHome.with { edited in
      let folder = edited.state.appending(path: "undercroft/undo")
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])

      let answer = try edited.run("rm", "theme", "--kind", "preference", "--write", "--yes")

      #expect(answer.status == 77)
      #expect(answer.errors.contains("chmod"))
      #expect(try edited.preference("theme") == "dark")
    }
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")),
    arguments: [("y", String?.none), ("n", "dark")])
  func `rm asks on a terminal, and removes a value only after a yes`(
    answer: String, remaining: String?
  ) throws {
    try EditedHome.with { edited in
      let command =
        "\(try Program.inspector.path) rm '\(edited.home.url.path)' theme --kind preference --write"

      let result = try Program(at: "/bin/sh").run(
        ["-c", "(sleep 0.5; echo \(answer); sleep 0.5) | script -qec \"$0\" /dev/null", command],
        environment: edited.environment)

      #expect(result.output.contains("- preference theme: \"dark\""))
      #expect(try edited.preference("theme") == remaining)
    }
  }
}
