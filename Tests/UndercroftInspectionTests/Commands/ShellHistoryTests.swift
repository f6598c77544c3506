import Foundation
import TestSupport
import Testing

/// The file with the lines that the user has typed in the shell.
@Suite struct ShellHistoryTests {
  @Test func `a FIFO at the path of the history does not block the shell`() throws {
    try withHistory { home, file, environment in
      #expect(mkfifo(file.path, 0o600) == 0)

      let shell = try PseudoTerminal(
        .inspector, ["shell", home.url.path], environment: environment)
      try shell.expect("there is no history")
      try shell.expect("> ")
      shell.type("get theme\r")

      try shell.expect("\"dark\"")
      try shell.expect("> ")
      #expect(shell.statusAfterTyping("\u{15}\u{4}") == 0)
      var status = stat()
      #expect(lstat(file.path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }
  }

  @Test func `only the last part of a large history is read and remains`() throws {
    try withHistory { home, file, environment in
      let longLine = String(repeating: "x", count: 3 << 20)
      try Data("\(longLine)\nget theme\n".utf8).write(to: file)

      let shell = try PseudoTerminal(
        .inspector, ["shell", home.url.path], environment: environment)
      try shell.expect("> ")
      shell.type("\u{1b}[A\r")

      try shell.expect("\"dark\"")
      try shell.expect("> ")
      shell.type("exit\r")
      #expect(shell.status() == 0)
      #expect(try String(contentsOf: file, encoding: .utf8) == "get theme\nget theme\nexit\n")
    }
  }

  /// Calls `body` with a home, the path of the history, and the environment that selects the path.
  private func withHistory(
    _ body: (_ home: SampleHome, _ file: URL, _ environment: [String: String]) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "library"))
      let folder = directory.appending(path: "undercroft")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try body(home, folder.appending(path: "history"), ["XDG_STATE_HOME": directory.path])
    }
  }
}
