import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of copies after a copy that was killed while a store of several files got its name.
@Suite struct InterruptedCopyTests {
  @Test func `a copy succeeds after one that was killed between the names of two files`() throws {
    try withInterruptedCopy { store, directory, _ in
      let answer = try run("cp", store, directory.file("copy"))

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try directory.names == ["copy", "copy.journal"])
      #expect(try run("get", directory.file("copy"), "theme").output == "dark\n")
    }
  }

  @Test func `a dry run names what a copy would remove after one that was killed`() throws {
    try withInterruptedCopy { store, directory, temporary in
      let before = try directory.names

      let answer = try run("cp", store, directory.file("copy"), "--dry-run")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.contains(store))
      #expect(
        answer.errors.contains(
          "would first remove what an interrupted command has left: "
            + "\"\(directory.file("copy.journal"))\", \"\(temporary)\""))
      #expect(try directory.names == before)
    }
  }

  @Test func `a dry run fails as a copy does for a file that no killed copy has moved`() throws {
    try withInterruptedCopy { store, directory, temporary in
      try FileManager.default.removeItem(atPath: temporary + "/.moving")

      let answer = try run("cp", store, directory.file("copy"), "--dry-run")

      #expect(answer.status == 74)
      #expect(answer.errors.contains("copy.journal\" exists already"))
    }
  }

  @Test func `a file beside the destination remains while another copy may move the store`()
    throws
  {
    try withInterruptedCopy { store, directory, temporary in
      let folder = open(temporary, O_RDONLY | O_DIRECTORY)
      defer { close(folder) }
      let isLocked = flock(folder, LOCK_EX | LOCK_NB) == 0
      let before = try directory.names

      let answer = try run("cp", store, directory.file("copy"))

      #expect(isLocked)
      #expect(answer.status == 74)
      #expect(try directory.names == before)
    }
  }

  @Test func `a file beside the destination that no killed copy has moved remains`() throws {
    try withInterruptedCopy { store, directory, temporary in
      try FileManager.default.removeItem(atPath: temporary + "/.moving")
      let before = try directory.names

      let answer = try run("cp", store, directory.file("copy"))

      #expect(answer.status == 74)
      #expect(try directory.names == before)
    }
  }

  @Test(.enabled(if: Program.canTrace))
  func `a copy whose main file cannot get its name leaves no file beside the destination`() throws {
    try withTemporaryDirectory { url in
      let store = url.appending(path: "store")
      let backend = try BackendChoice.settings(at: store).open()
      try backend.apply([.set("theme", Data("dark".utf8))])
      let directory = try TemporaryDirectory()
      // The journal is renamed first, and then the main file.
      let fault = [
        "-f", "-o", "/dev/null", "-e", "trace=renameat2", "-e",
        "inject=renameat2:error=EIO:when=2",
      ]
      let tool = [try Program.inspector.url.path, "cp", store.path, directory.file("copy")]

      let answer = try Program(at: "/usr/bin/strace").run(fault + tool)

      #expect(answer.status == 74, "\(answer.errors)")
      #expect(try directory.names.isEmpty)
      withExtendedLifetime(backend) {}
    }
  }

  /// Calls `body` with the path of a store, a folder in which a copy of the store was killed after
  /// the journal had got its name, and the temporary folder of that copy.
  private func withInterruptedCopy(
    _ body: (String, TemporaryDirectory, _ temporary: String) throws -> Void
  ) throws {
    try withTemporaryDirectory { url in
      let store = url.appending(path: "store")
      let backend = try BackendChoice.settings(at: store).open()
      try backend.apply([.set("theme", Data("dark".utf8))])
      let directory = try TemporaryDirectory()
      try #require(try run("cp", store.path, directory.file("copy")).status == 0)
      try #require(try directory.names == ["copy", "copy.journal"])
      let temporary = directory.file(".undercroft-1a.tmp")
      try FileManager.default.createDirectory(
        atPath: temporary, withIntermediateDirectories: false)
      try FileManager.default.moveItem(
        atPath: directory.file("copy"), toPath: temporary + "/copy")
      try directory.write("", to: ".undercroft-1a.tmp/.moving")

      try body(store.path, directory, temporary)

      withExtendedLifetime(backend) {}
    }
  }
}
