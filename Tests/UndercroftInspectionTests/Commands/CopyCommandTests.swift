import Foundation
import TestSupport
import Testing

/// Tests of the destinations of the command `cp`, and of copies that do not end.
@Suite struct CopyCommandTests {
  @Test func `an existing destination is not replaced`() throws {
    try withHome { home, directory in
      try directory.write("mine", to: "copy")

      let answer = try home.run("cp", directory.file("copy"))

      #expect(answer.status == 74)
      #expect(answer.errors.contains("exists already"))
      #expect(try directory.read("copy") == "mine")
      #expect(try directory.names == ["copy", "home"])
    }
  }

  @Test(arguments: ["-wal", "-journal", "-shm"])
  func `a database is not copied beside a journal of the same name`(suffix: String) throws {
    try withHome { home, directory in
      try directory.write("stale", to: "copy.sqlite" + suffix)

      let answer = try run(
        "cp", home.url.appending(path: "records.sqlite").path, directory.file("copy.sqlite"))

      #expect(answer.status == 74)
      #expect(answer.errors.contains("copy.sqlite" + suffix))
      #expect(try directory.names == ["copy.sqlite" + suffix, "home"])
    }
  }

  @Test func `a home is not copied into itself`() throws {
    try withHome { home, _ in
      let before = try fileStates(in: home.url)

      let answer = try home.run("cp", home.url.appending(path: "blobs/copy").path)

      #expect(answer.status == 64)
      #expect(try fileStates(in: home.url) == before)
    }
  }

  @Test func `the folder of the destination must exist`() throws {
    try withHome { home, directory in
      let answer = try home.run("cp", directory.file("missing/copy"))

      #expect(answer.status == 74)
      #expect(answer.errors.contains("does not exist"))
    }
  }

  @Test(arguments: [true, false])
  func `a database that cannot be read prevents the copy, and the error names what to do instead`(
    isHome: Bool
  ) throws {
    try withHome { home, directory in
      let database = home.url.appending(path: "records.sqlite")
      var bytes = try Data(contentsOf: database)
      bytes.replaceSubrange(100..., with: Data(repeating: 0xff, count: bytes.count - 100))
      try bytes.write(to: database)

      let answer = try run("cp", (isHome ? home.url : database).path, directory.file("copy"))

      #expect(answer.status == 65)
      #expect(try directory.names == ["home"])
      #expect(answer.errors.contains("nothing was copied"), "\(answer.errors)")
      #expect(answer.errors.contains("run \"undercroft export\" with --output-directory"))
      #expect(answer.errors.contains("copy the other stores one by one") == isHome)
    }
  }

  @Test func `a dry run lists the stores and other files, and creates nothing`() throws {
    try withHome { home, directory in
      let answer = try home.run("cp", directory.file("copy"), "--dry-run", "--format", "csv")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.contains("record,sqlite,"))
      #expect(answer.output.contains("keys/vault.key"))
      #expect(try directory.names == ["home"])
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `an interrupted copy leaves no file`(signal: Int32) throws {
    try withLargeHome { home, directory in
      let copy = try Program.inspector.start(["cp", home.url.path, directory.file("copy")])
      #expect(try waitUntil { try directory.names.count > 1 })
      copy.send(signal)

      let result = try copy.result()

      #expect(result.wasKilledBySignal && result.status == signal)
      #expect(try directory.names == ["home"])
    }
  }

  @Test func `a killed copy leaves nothing under the name of the destination`() throws {
    try withLargeHome { home, directory in
      let copy = try Program.inspector.start(["cp", home.url.path, directory.file("copy")])
      #expect(try waitUntil { try directory.names.count > 1 })
      copy.send(SIGKILL)
      _ = try copy.result()

      #expect(try !directory.names.contains("copy"))
    }
  }

  /// A home with a file whose copy takes longer than sending a signal.
  private func withLargeHome(_ body: (SampleHome, TemporaryDirectory) throws -> Void) throws {
    try withHome { home, directory in
      try createLargeFile(at: home.url.appending(path: "scans").path)
      try body(home, directory)
    }
  }
}
