import Foundation
import TestSupport
import Testing

/// The shell with a script as its standard input.
@Suite struct ShellCommandTests {
  @Test func `a script runs commands and statements without the path`() throws {
    try withTemporaryDirectory { directory in
      let result = try shell(
        directory,
        """
        # the look of the library
        get theme

        keys --kind blob --prefix cover/e
        select title from record.book where id = 'b2'
        VALUES (7);
        """)

      #expect(result.status == 0)
      #expect(
        result.output == """
          "dark"
          kind  name        bytes
          blob  cover/emma   5000
          title
          Dune
          column1
                7

          """)
      #expect(result.errors.isEmpty)
    }
  }

  @Test func `words are quoted as in other shells`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try home.save("Emma", as: "reading list")
      try home.save("Dune", as: "it's")

      let result = try shell(
        directory,
        #"""
        get 'reading list'
        get "reading list"
        get reading\ list
        get it\'s
        get "it's"
        get 'it'"'"'s'
        """#, makesHome: false)

      #expect(result.status == 0)
      let (emma, dune) = ("\"Emma\"", "\"Dune\"")
      #expect(result.lines == [emma, emma, emma, dune, dune, dune])
    }
  }

  @Test func `a quotation mark that is not closed is an error`() throws {
    try withTemporaryDirectory { directory in
      let result = try shell(directory, "get 'theme\nget theme", "--fail")

      #expect(result.status == 64)
      #expect(result.output.isEmpty)
      #expect(result.errors.contains("a quotation mark is not closed"))
    }
  }

  @Test func `a line that is too long for the arguments of a program is an error`() throws {
    try withTemporaryDirectory { directory in
      let name = String(repeating: "x", count: 1 << 20)

      let result = try shell(directory, "get \(name)\nget theme")

      #expect(result.output == "\"dark\"\n")
      #expect(result.errors.contains("the line is too long"))
      #expect(!result.errors.contains("installed"))
    }
  }

  @Test func `a script continues after a failure and succeeds without --fail`() throws {
    try withTemporaryDirectory { directory in
      let result = try shell(directory, "get nothing\nsing\nget theme")

      #expect(result.status == 0)
      #expect(result.output == "\"dark\"\n")
      #expect(result.errors.contains("\"nothing\""))
      #expect(result.errors.contains("cannot run \"sing\": there is no such command"))
    }
  }

  @Test func `a script ends at the first failure with its status if --fail is passed`() throws {
    try withTemporaryDirectory { directory in
      let result = try shell(directory, "get nothing\nget theme", "--fail")

      #expect(result.status == 66)
      #expect(result.output.isEmpty)
    }
  }

  @Test func `use limits the following commands to a kind until it is withdrawn`() throws {
    try withTemporaryDirectory { directory in
      let result = try shell(
        directory, "use blob\nkeys --format ndjson\nuse\nget theme\nuse song\nuse a b")

      #expect(result.lines.count == 3)
      #expect(result.lines.prefix(2).allSatisfy { $0.contains("cover/") })
      #expect(result.lines.last == "\"dark\"")
      #expect(result.errors.contains("cannot use the kind \"song\""))
      #expect(result.errors.contains("more than one name"))
    }
  }

  @Test func `EXPLAIN shows the steps of a statement`() throws {
    try withTemporaryDirectory { directory in
      let result = try shell(
        directory,
        """
        EXPLAIN SELECT * FROM record.book
        explain query plan select * from record.book;
        """)

      #expect(result.lines.filter { $0.contains("SCAN") }.count == 2)
      #expect(result.errors.isEmpty)
    }
  }

  @Test func `help lists the commands of the shell and of the tool`() throws {
    try withTemporaryDirectory { directory in
      let result = try shell(directory, "help\nhelp rows")

      #expect(result.output.contains("use [KIND]"))
      #expect(result.output.contains("Lists the stores at paths"))
      #expect(result.output.contains("USAGE: undercroft rows"))
    }
  }

  @Test func `a command in a script does not read the lines that follow it`() throws {
    try withTemporaryDirectory { directory in
      let result = try shell(directory, "keys --kind secret --ask-passphrase\nget theme")

      #expect(result.output == "\"dark\"\n")
    }
  }

  @Test func `a line that asks for a passphrase does not use the key file of the shell`() throws {
    try withTemporaryDirectory { directory in
      let key = directory.appending(path: "keys/vault.key").path

      // A command of a script has an empty standard input, so that no passphrase is read.
      let asked = try shell(
        directory, "keys --kind secret --ask-passphrase", "--key-file", key)
      let plain = try shell(
        directory, "keys --kind secret", "--key-file", key, makesHome: false)

      #expect(asked.output.isEmpty)
      #expect(!asked.errors.contains("--key-file cannot be combined"))
      #expect(plain.output.contains("pin"))
    }
  }

  @Test func `a signal that ends the shell also ends the running command`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "library"))
      let output = directory.appending(path: "output")
      try Data().write(to: output)
      let running = try Program.inspector.start(
        ["shell", home.url.path], input: "watch\n", output: output.path)
      var count = 0
      let isWatching = try waitUntil {
        count += 1
        try home.save("colour \(count)", as: "theme")
        return try String(contentsOf: output, encoding: .utf8).contains("theme")
      }
      #expect(isWatching)

      running.send(SIGTERM)
      // A command that still runs would leave standard error open.
      let result = try running.result()

      #expect(result.wasKilledBySignal)
      #expect(result.status == SIGTERM)
    }
  }

  @Test func `exit ends a script and an unknown path is an error`() throws {
    try withTemporaryDirectory { directory in
      #expect(try shell(directory, "exit\nget theme").output.isEmpty)

      let absent = try run("shell", directory.path + "/nowhere", input: "ls\n")
      #expect(absent.status == 66)
      #expect(absent.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func `a script neither writes a history nor changes the stores`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "library"))
      let before = try fileStates(in: home.url)

      let result = try Program.inspector.run(
        ["shell", home.url.path], input: "ls\nkeys\nrows book\nSELECT * FROM preference;\n",
        environment: ["XDG_STATE_HOME": directory.path])

      #expect(result.status == 0)
      #expect(try fileStates(in: home.url) == before)
      #expect(!FileManager.default.fileExists(atPath: directory.path + "/undercroft"))
    }
  }

  private func shell(
    _ directory: URL, _ script: String, _ arguments: String..., makesHome: Bool = true
  ) throws -> ProgramResult {
    if makesHome { _ = try SampleHome(at: directory) }
    return try run(["shell", directory.path] + arguments, input: script + "\n")
  }
}
