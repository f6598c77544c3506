import Foundation
import TestSupport
import Testing

/// The shell on a terminal, with the line editing of libedit.
@Suite struct ShellTerminalTests {
  @Test func `Tab completes commands and names of values, tables and columns`() throws {
    try withShell { shell, _ in
      shell.type("ge\tthe\t\r")

      try shell.expect("\"dark\"")
      try shell.expect("> ")

      shell.type("rows au\t\r")

      try shell.expect("Frank Herbert")
      try shell.expect("> ")

      shell.type("SELECT tit\t FROM record.boo\t WHERE id = 'b2';\r")

      try shell.expect("Dune")
    }
  }

  @Test func `Tab completes a name with a blank in a form that the shell accepts`() throws {
    try withShell { shell, home in
      try home.save("Emma, Dune", as: "reading list")

      shell.type("get rea\t\r")

      try shell.expect("Emma, Dune")
      #expect(shell.text.contains(#"ding\ list"#))
    }
  }

  @Test func `Tab completes every name of rm, also after --`() throws {
    try withShell { shell, _ in
      shell.type("rm the\t win\t --dry-run\r")
      try shell.expect("- preference window.title: ")
      try shell.expect("> ")

      shell.type("rm --dry-run -- the\t win\t\r")

      try shell.expect("- preference window.title: ")
    }
  }

  @Test func `Tab does not complete names in a confidential store`() throws {
    try withShell { shell, _ in
      shell.type("get pi\t\r")

      try shell.expect("\"pi\"")
      #expect(!shell.text.contains("pin"))
    }
  }

  @Test func `Tab completes the names of the kind in use`() throws {
    try withShell { shell, _ in
      shell.type("use bl\t\r")
      try shell.expect(" blob> ")

      shell.type("keys --prefix cover/e\r")

      try shell.expect("cover/emma")
      #expect(!shell.text.contains("theme"))
    }
  }

  @Test func `the prompt is shown when the terminal no longer turns keys into signals`() throws {
    try withShell { shell, _ in
      #expect(!shell.hasEcho)

      shell.type("get theme\r")

      try shell.expect("\"dark\"")
    }
  }

  @Test func `Ctrl-C discards the line`() throws {
    try withShell { shell, _ in
      shell.type("sing a song\u{3}")
      try shell.expect("^C")
      try shell.expect("> ")

      shell.type("get theme\r")

      try shell.expect("\"dark\"")
      #expect(!shell.text.contains("there is no such command"))
    }
  }

  @Test func `Ctrl-C ends the running command but not the shell`() throws {
    try withShell { shell, _ in
      shell.type("watch\r")
      try shell.expect("Ctrl-C ends")

      shell.type("\u{3}")
      try shell.expect("> ")
      shell.type("get theme\r")

      try shell.expect("\"dark\"")
    }
  }

  @Test func `the key of SIGQUIT ends the running command but not the shell`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "library"))
      // The signal would leave a memory image of the command.
      let shell = try PseudoTerminal(
        Program(at: "/bin/sh"),
        [
          "-c", #"ulimit -c 0; exec "$0" shell "$1""#, try Program.inspector.path, home.url.path,
        ],
        environment: ["XDG_STATE_HOME": directory.path])
      try shell.expect("> ")
      shell.type("watch\r")
      try shell.expect("Ctrl-C ends")

      shell.type("\u{1c}")
      try shell.expect("> ")
      shell.type("get theme\r")

      try shell.expect("\"dark\"")
      try shell.expect("> ")
      #expect(shell.statusAfterTyping("\u{15}\u{4}") == 0)
    }
  }

  @Test func `the prompt and the typed text are shown again after Ctrl-Z`() throws {
    try withShell { shell, _ in
      shell.type("get the")
      try shell.expect("the")

      // The system does not stop the shell, because no other process of the session continues it.
      shell.type("\u{1a}")
      try shell.expect("library> ")
      try shell.expect("the")
      #expect(!shell.passesLines && !shell.sendsSignals)
      shell.type("me\r")

      try shell.expect("\"dark\"")
    }
  }

  @Test func `a terminal that cannot move the cursor shows the prompt again`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "library"))
      let shell = try PseudoTerminal(
        .inspector, ["shell", home.url.path],
        environment: ["XDG_STATE_HOME": directory.path, "TERM": "dumb"])
      try shell.expect("library> ")

      shell.type("sing a song")
      try shell.expect("sing a song")
      shell.type("\u{3}")
      try shell.expect("library> ")
      // The system sends this signal when the user continues the shell after Ctrl-Z.
      kill(shell.process, SIGCONT)
      try shell.expect("library> ")
      shell.type("get theme\n")

      try shell.expect("\"dark\"")
      try shell.expect("library> ")
      #expect(shell.statusAfterTyping("\u{4}") == 0)
      #expect(!shell.text.contains("there is no such command"))
    }
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `a signal that ends the shell at its prompt restores the terminal`(number: Int32) throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "library"))
      let shell = try PseudoTerminal(
        .inspector, ["shell", home.url.path], environment: ["XDG_STATE_HOME": directory.path])
      try shell.expect("> ")
      #expect(!shell.passesLines && !shell.sendsSignals)

      kill(shell.process, number)
      let result = shell.result()

      #expect(result.wasKilledBySignal)
      #expect(result.status == number)
      #expect(shell.hasEcho && shell.passesLines && shell.sendsSignals)
    }
  }

  @Test func `typed lines are stored for the next shell in a file of the user alone`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "library"))
      try run(["get theme"], on: home, stateIn: directory)

      let shell = try PseudoTerminal(
        .inspector, ["shell", home.url.path], environment: ["XDG_STATE_HOME": directory.path])
      try shell.expect("> ")
      shell.type("\u{1b}[A\r")

      try shell.expect("\"dark\"")
      shell.type("exit\r")
      #expect(shell.status() == 0)
      let file = directory.appending(path: "undercroft/history")
      #expect(try String(contentsOf: file, encoding: .utf8) == "get theme\nget theme\nexit\n")
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `lines with secrets are not stored`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "library"))

      try run(
        [
          "get theme", "get api_token", "find password", " keys",
          "find ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        ], on: home, stateIn: directory)

      let file = directory.appending(path: "undercroft/history")
      #expect(try String(contentsOf: file, encoding: .utf8) == "get theme\n")
    }
  }

  @Test func `no history is stored with --no-history`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "library"))

      try run(["get theme"], on: home, stateIn: directory, "--no-history")

      #expect(!FileManager.default.fileExists(atPath: directory.path + "/undercroft"))
    }
  }

  /// Runs lines in a shell that Ctrl-D ends.
  private func run(
    _ lines: [String], on home: SampleHome, stateIn directory: URL, _ arguments: String...
  ) throws {
    let shell = try PseudoTerminal(
      .inspector, ["shell", home.url.path] + arguments,
      environment: ["XDG_STATE_HOME": directory.path])
    try shell.expect("> ")
    for line in lines {
      shell.type(line + "\r")
      try shell.expect("\n")
      try shell.expect("> ")
    }
    #expect(shell.statusAfterTyping("\u{15}\u{4}") == 0)
  }

  /// Runs `body` with a shell on a sample home, and ends the shell with Ctrl-D.
  private func withShell(_ body: (PseudoTerminal, SampleHome) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "library"))
      let shell = try PseudoTerminal(
        .inspector, ["shell", home.url.path], environment: ["XDG_STATE_HOME": directory.path])
      try shell.expect("library> ")

      try body(shell, home)

      try shell.expect("> ")
      #expect(shell.statusAfterTyping("\u{15}\u{4}") == 0)
    }
  }
}
