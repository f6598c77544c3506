import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests of the inspector's output and exit status when it cannot read a store or write its output.
@Suite struct OutputTests {
  private func home(_ url: URL) throws -> Storage {
    let storage = try Storage(home: url)
    try storage.save("dark", for: StorageKey("theme", kind: .preference, default: ""))
    try storage.save("graph", for: StorageKey("loans", kind: .archive, default: ""))
    return storage
  }

  @Test func `the inspector tool exits with status 0 if its output pipe is closed`() throws {
    try withTemporaryDirectory { home in
      let storage = try Storage(home: home)
      let film = StorageKey<Data?>("film", kind: .blob, as: .bytes)
      try storage.withWriter(for: film) { try $0.write(Data(repeating: 65, count: 1 << 20)) }
      // A parent process may ignore the signal for its children, so both cases are tested.
      for line in [
        #"{ "$0" get "$1" film --format raw; echo "status $?" >&2; } | head -c 3"#,
        #"trap '' PIPE; { "$0" get "$1" film; echo "status $?" >&2; } | head -c 3"#,
      ] {
        let answer = try Program.inspector.runInShell(line, home.path)
        #expect(answer.output == "AAA")
        #expect(answer.errors == "status 0\n")
      }
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `the inspector tool exits with an error status if its output cannot be written`() throws {
    try withTemporaryDirectory { directory in
      _ = try home(directory)
      for command in [
        #""$0" ls "$1""#, #""$0" get "$1" theme --format raw"#, #""$0" export "$1""#,
        #""$0" find "$1" dark"#,
      ] {
        let answer = try Program.inspector.runInShell("\(command) > /dev/full", directory.path)
        #expect(answer.status == 74)
        #expect(
          answer.errors == """
            undercroft: cannot write to standard output: no space left on device; redirect \
            standard output to a terminal, a program or a file on a disk with free space, and repeat \
            the command

            """)
      }
    }
  }

  @Test func `the inspector tool reports a damaged store and shows all intact stores`() throws {
    try withTemporaryDirectory { directory in
      _ = try home(directory)
      try Data("UNDFILE1 and then nothing of worth".utf8)
        .write(to: directory.appending(path: "archive"))
      let list = try run("ls", directory.path)
      #expect(list.status == 65)
      #expect(list.output.contains("(corrupted)"))
      #expect(list.errors.hasPrefix("undercroft: archive: cannot read"))
      #expect(list.errors.split(separator: "\n").count == 1)

      let keys = try run("keys", directory.path)
      #expect(keys.status == 65)
      #expect(keys.output.contains("theme"))

      let found = try run("get", directory.path, "theme")
      #expect(found.status == 0)
      #expect(found.output == "\"dark\"\n")
      #expect(try run("get", directory.path, "loans").status == 65)
      #expect(try run("get", directory.path, "theme", "--kind", "preference").errors == "")
    }
  }

  @Test func `the inspector tool reports an unknown backend and shows all other stores`() throws {
    try withTemporaryDirectory { directory in
      _ = try home(directory)
      let url = directory.appending(path: "undercroft.json")
      let text = try String(contentsOf: url, encoding: .utf8)
      try text.replacing("\"singleFile\"", with: "\"clay tablets\"")
        .write(to: url, atomically: true, encoding: .utf8)
      let keys = try run("keys", directory.path, "--kind", "archive")

      #expect(keys.status == 65)
      #expect(keys.errors.contains("this tool does not support the backend \"clay tablets\""))
      #expect(try run("keys", directory.path).output.contains("theme"))
    }
  }

  @Test(arguments: ["pipe", "folder", "later", "huge", "half"])
  func `the inspector tool rejects an unreadable manifest with an error and without blocking`(
    what: String
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "undercroft.json")
      switch what {
      case "pipe": #expect(mkfifo(url.path, 0o600) == 0)
      case "folder":
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
      case "later": try Data(#"{"version": 2}"#.utf8).write(to: url)
      case "huge": try Data(repeating: 32, count: 2 << 20).write(to: url)
      default: try Data(#"{"version": 1, "rou"#.utf8).write(to: url)
      }
      for command in ["ls", "keys"] {
        let answer = try run(command, directory.path)
        #expect(answer.status == 65)
        #expect(answer.errors.hasPrefix("undercroft: cannot read"))
        #expect(answer.errors.split(separator: "\n").count == 1)
      }
    }
  }

  @Test
  func `the inspector tool exits with the usage error status 64 if its path argument is empty`()
    throws
  {
    #expect(try run("ls", "").status == 64)
  }

  @Test(
    .enabled(if: OtherUser.isAvailable),
    arguments: ["home", "home/undercroft.json", "home/settings"])
  func `the inspector tool exits with status 77 if it may not read a directory, manifest or store`(
    locked: String
  )
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "home")
      _ = try home(url)
      let files = FileManager.default
      try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
      try files.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: url.appending(path: "undercroft.json").path)
      let location = directory.appending(path: locked).path
      try files.setAttributes([.posixPermissions: 0o000], ofItemAtPath: location)
      defer { try? files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: location) }
      let answer = try Program.inspector.runInShell(
        "\(OtherUser.program) keys \"$1\" --kind preference", url.path)

      #expect(answer.status == 77, "\(answer.errors)")
      #expect(answer.errors.contains("permission denied"))
      #expect(answer.errors.split(separator: "\n").count == 1)
    }
  }
}
