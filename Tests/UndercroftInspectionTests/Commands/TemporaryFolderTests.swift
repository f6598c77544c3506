import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of the temporary folder that a killed command has left beside its destination.
@Suite struct TemporaryFolderTests {
  static let commands = [
    ["cp", "home", "copy"], ["cp", "home/settings", "copy"],
    ["export", "home", "--output", "copy"], ["export", "home", "--output-directory", "copy"],
    ["convert", "home/settings", "copy", "--to", "gdbm"],
  ]

  @Test(arguments: commands)
  func `the temporary folder of a killed command is removed if the command is repeated`(
    arguments: [String]
  ) throws {
    try withHome { directory in
      try createFolder(".undercroft-1a.tmp/copy/covers", in: directory)
      try setMode(0o500, directory.file(".undercroft-1a.tmp/copy"))

      let answer = try run(arguments, in: directory)

      #expect(answer.status == 0, "\(answer.errors)")
      let names = try directory.names
      #expect(names.contains("copy"))
      #expect(!names.contains(".undercroft-1a.tmp"))
    }
  }

  @Test(arguments: [[], ["copy.lock"], ["copy.journal", ".undercroft-2b.tmp"], [".moving"]])
  func `the temporary folder of a command that was killed before the main file existed is removed`(
    files: [String]
  ) throws {
    try withHome { directory in
      try createFolder(".undercroft-1a.tmp", in: directory)
      for file in files { try directory.write("", to: ".undercroft-1a.tmp/" + file) }

      let answer = try run(["cp", "home/settings", "copy"], in: directory)

      #expect(answer.status == 0, "\(answer.errors)")
      let names = try directory.names
      #expect(names.contains("copy"))
      #expect(!names.contains { $0.hasPrefix(".undercroft-") })
    }
  }

  @Test func `a temporary folder with a file of another destination remains`() throws {
    try withHome { directory in
      try createFolder(".undercroft-1a.tmp", in: directory)
      for file in ["copy.lock", "copy-2"] {
        try directory.write("", to: ".undercroft-1a.tmp/" + file)
      }

      let answer = try run(["cp", "home/settings", "copy"], in: directory)

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try directory.names.contains(".undercroft-1a.tmp"))
    }
  }

  @Test(arguments: commands)
  func `the temporary folder of another destination remains`(arguments: [String]) throws {
    try withHome { directory in
      try createFolder(".undercroft-1a.tmp/backup", in: directory)

      let answer = try run(arguments, in: directory)

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try directory.names.contains(".undercroft-1a.tmp"))
    }
  }

  @Test(arguments: commands)
  func `the temporary folder of a command that runs remains`(arguments: [String]) throws {
    try withHome { directory in
      try createFolder(".undercroft-1a.tmp/copy", in: directory)
      let folder = open(directory.file(".undercroft-1a.tmp"), O_RDONLY | O_DIRECTORY)
      defer { close(folder) }
      try #require(flock(folder, LOCK_EX | LOCK_NB) == 0)

      let answer = try run(arguments, in: directory)

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try directory.names.contains(".undercroft-1a.tmp"))
    }
  }

  @Test(arguments: commands)
  func `a command whose destination exists removes no temporary folder`(
    arguments: [String]
  ) throws {
    try withHome { directory in
      try createFolder(".undercroft-1a.tmp/copy", in: directory)
      try directory.write("Dune", to: "copy")

      let answer = try run(arguments, in: directory)

      #expect(answer.status == 74)
      #expect(try directory.names == [".undercroft-1a.tmp", "copy", "home"])
    }
  }

  @Test func `a dry run names the temporary folder that a copy would remove`() throws {
    try withHome { directory in
      try createFolder(".undercroft-1a.tmp/copy", in: directory)
      try createFolder(".undercroft-2b.tmp/backup", in: directory)

      let answer = try run(["cp", "home", "copy", "--dry-run"], in: directory)

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.errors.contains("would first remove"))
      #expect(answer.errors.contains(".undercroft-1a.tmp"))
      #expect(!answer.errors.contains(".undercroft-2b.tmp"))
      #expect(try directory.names == [".undercroft-1a.tmp", ".undercroft-2b.tmp", "home"])
    }
  }

  @Test func `the private copy that another command reads remains`() throws {
    let directory = try TemporaryDirectory()
    try createFolder("private", in: directory)
    let store = directory.file("library")
    let backend = try BackendChoice.settings(at: URL(filePath: store)).open()
    try backend.apply(
      (1...30_000).map { number in
        StorageChange.set("loan.\(number).of.a.reader.with.a.long.name", Data("Emma".utf8))
      })
    // The first command waits for the reader of its output while the second one runs.
    let script = """
      TMPDIR="$2" "$0" keys "$1" --snapshot --format ndjson | {
        read -r line
        "$0" cp "$1" "$2/library" --quiet
        echo "$?"
        ls -A "$2"
        cat >/dev/null
      }
      """

    let answer = try Program.inspector.runInShell(script, store, directory.file("private"))

    #expect(answer.output.hasPrefix("0\n"), "\(answer.errors)")
    #expect(answer.output.contains("\n.undercroft-"))
    withExtendedLifetime(backend) {}
  }

  @Test func `a copy beyond the file size limit of the process is reported and removed`() throws {
    let directory = try TemporaryDirectory()
    let store = directory.file("library")
    let backend = try BackendChoice.settings(at: URL(filePath: store)).open()
    try backend.apply([.set("scan", Data(repeating: 65, count: 200_000))])
    let before = try directory.names

    let answer = try Program.inspector.runInShell(
      #"ulimit -f 64; exec "$0" cp "$1" "$2""#, store, directory.file("copy"))

    #expect(answer.status == 74)
    #expect(!answer.wasKilledBySignal)
    #expect(answer.errors.contains("file too large; raise the file size limit"))
    #expect(try directory.names == before)
    withExtendedLifetime(backend) {}
  }

  private func withHome(_ body: (TemporaryDirectory) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    _ = try SampleHome(at: directory.url.appending(path: "home"))
    try body(directory)
  }

  /// Runs the inspector; words that name the home or the destination are relative to a folder.
  private func run(
    _ arguments: [String], in directory: TemporaryDirectory
  ) throws -> ProgramResult {
    let words = arguments.map { word in
      ["home", "home/settings", "copy"].contains(word) ? directory.file(word) : word
    }
    return try UndercroftInspectionTests.run(words)
  }

  private func createFolder(_ path: String, in directory: TemporaryDirectory) throws {
    try FileManager.default.createDirectory(
      atPath: directory.file(path), withIntermediateDirectories: true)
  }

  private func setMode(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }
}
