#if SyncHTTP && SyncServer
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing
  import Undercroft

  /// Tests of `shelf connect` and `shelf sync` with a real server on the loopback interface.
  @Suite(.timeLimit(.hangLimit)) struct ShelfNetworkCommandTests {
    private let directory: TemporaryDirectory
    private let (first, second): (String, String)
    private let token: String

    init() throws {
      directory = try TemporaryDirectory()
      (first, second) = (directory.file("first"), directory.file("second"))
      try ShelfProcess.input(5, version: 1).write(to: directory.url.appending(path: "status"))
      for home in [first, second] {
        let arguments = ["import", directory.file("status"), "--no-changelogs", "--home", home]
        try #require(try ShelfProcess.run(arguments).status == 0)
      }
      token = try ServerProcess.createToken(
        Program(built: "undercroft-sync-server").url, account: "ada", scope: "shelf:ada",
        data: ["--data", directory.file("server")])
    }

    /// Starts a server, waits until it listens, and returns it with its address.
    private func serve() throws -> (server: ServerProcess, address: String) {
      let server = ServerProcess(
        try Program(built: "undercroft-sync-server").url, ["--data", directory.file("server")],
        log: directory.url.appending(path: "server.log"))
      try server.startListening()
      return (server, try #require(server.address?.absoluteString))
    }

    /// Runs the `shelf` program, and expects that it exits with `status`.
    private func run(
      _ arguments: [String], input: String = "", environment: [String: String] = [:],
      status: Int32 = 0
    ) throws -> ProgramResult {
      let result = try Program(built: "shelf").run(
        arguments, input: input, environment: environment)
      #expect(result.status == status, "\(arguments): \(result.errors)")
      #expect(!(result.output + result.errors).contains(token))
      return result
    }

    private func connect(
      _ home: String, _ address: String, _ token: String? = nil, status: Int32 = 0
    ) throws -> ProgramResult {
      try run(
        ["connect", address, "--account", "ada", "--home", home], input: token ?? self.token,
        status: status)
    }

    @Test func `homes exchange notes through the server, with tokens from each source`() throws {
      let (server, address) = try serve()
      defer { _ = server.stop() }
      _ = try run(["note", "book-1", "lent to Ada", "--home", first])
      try directory.write(token + "\n", to: "token")
      let arguments = ["connect", address, "--account", "ada", "--home"]

      let file = try run(arguments + [first, "--token-file", directory.file("token")])
      let variable = try run(arguments + [second], environment: ["SHELF_SYNC_TOKEN": token])
      let input = try connect(second, address)

      #expect(file.output == "\(first): sent 3, received 3\n")
      #expect(variable.output == "\(second): sent 2, received 5\n")
      #expect(input.output == "\(second): sent 0, received 0\n")
      #expect(try run(["show", "book-1", "--home", second]).output.contains("lent to Ada"))
      #expect(try Storage(home: URL(filePath: first)).names(of: .secret).count == 2)
    }

    @Test func `a home that watches receives changes, sends its own, and ends with Ctrl-C`() throws
    {
      let (server, address) = try serve()
      defer { _ = server.stop() }
      _ = try connect(first, address)
      _ = try connect(second, address)
      let watching = try ShelfProcess.start(["sync", "--watch", "--home", second])

      _ = try run(["note", "book-1", "lent to Ada", "--home", first])
      _ = try run(["sync", "--home", first])
      try wait(for: "lent to Ada", in: second, while: watching)
      _ = try run(["note", "book-1", "returned", "--home", second])
      while watching.isRunning {
        _ = try run(["sync", "--home", first])
        if try run(["show", "book-1", "--home", first]).output.contains("returned") { break }
      }
      watching.send(SIGINT)
      let result = try watching.result()

      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.contains("\(second): contains version "))
      #expect(result.errors.isEmpty)
    }

    private func wait(
      for note: String, in home: String, while watching: RunningProgram
    ) throws {
      while watching.isRunning {
        if try run(["show", "book-1", "--home", home]).output.contains(note) { return }
        usleep(5_000)
      }
      Issue.record("the watching program has ended: \(try watching.result().errors)")
    }

    @Test func `a refused token, a wrong account and a missing server are reported`() throws {
      let (server, address) = try serve()

      let refused = try connect(first, address, "ucs_unknown", status: 74)
      let account = try run(
        ["connect", address, "--account", "eve", "--home", first], input: token, status: 74)
      let corrected = try connect(first, address)
      _ = server.stop()
      _ = try run(["note", "book-1", "lent to Ada", "--home", first])
      let missing = try run(["sync", "--home", first], status: 74)
      let state = try run(["sync", "--status", "--home", first])

      #expect(refused.errors.contains("the server has refused the token of this home"))
      #expect(refused.errors.contains("run shelf connect again"))
      #expect(!refused.errors.contains("ucs_unknown"))
      #expect(account.errors.contains("the authenticated account is \"ada\""))
      #expect(corrected.output == "\(first): sent 2, received 2\n")
      #expect(missing.errors.contains("connection refused"))
      #expect(missing.errors.contains("no change was lost"))
      #expect(state.output.contains("not sent   1 change\n"))
    }

    @Test func `the terminal does not show the token that the user types`() throws {
      let (server, address) = try serve()
      defer { _ = server.stop() }
      let terminal = try PseudoTerminal(
        Program(built: "shelf"),
        ["connect", address, "--account", "ada", "--home", first])

      try terminal.expect("token: ")
      let hasEcho = terminal.hasEcho
      terminal.type(token + "\n")
      let result = terminal.result()

      #expect(!hasEcho)
      #expect(result.status == 0)
      #expect(!result.output.contains(token))
      #expect(result.output.contains("sent 2, received 2"))
    }

    @Test func `Ctrl-C at the question for the token ends the program and shows input again`()
      throws
    {
      let terminal = try PseudoTerminal(
        Program(built: "shelf"),
        ["connect", "http://127.0.0.1:1", "--account", "ada", "--home", first])

      try terminal.expect("token: ")
      terminal.type("\u{3}")

      #expect(terminal.status() == 130)
      #expect(terminal.hasEcho)
    }

    @Test func `unusable addresses and tokens are reported, and connect nothing`() throws {
      let address = try connect(first, "sync.example.org", status: 1)
      let empty = try connect(first, "http://127.0.0.1:1", "\n", status: 1)
      let spaced = try connect(first, "http://127.0.0.1:1", "Bearer x\n", status: 1)
      let file = try run(
        [
          "connect", "http://127.0.0.1:1", "--account", "ada", "--home", first, "--token-file",
          directory.file("none"),
        ], status: 1)

      #expect(address.errors.contains("pass an address such as https://sync.example.org"))
      #expect(empty.errors.contains("it contains no token"))
      #expect(spaced.errors.contains("it contains a space"))
      #expect(file.errors.contains("check the path and the file permissions"))
      _ = try run(["sync", "--status", "--home", first], status: 1)
    }
  }
#endif
