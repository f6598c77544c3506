#if SyncServer && SyncHTTP
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing

  /// Tests of the errors with which the built tool `undercroft-sync-server` reports folders and
  /// ports that it cannot use.
  @Suite(.timeLimit(.hangLimit)) struct ToolFaultTests {
    private let tool: ServerTool

    init() throws { tool = try ServerTool() }

    @Test func `a file in the place of the folder is reported with a suggestion`() async throws {
      try tool.directory.write("", to: "data")

      let result = try await tool.run(["--port", "0"])

      #expect(result.status == 1)
      #expect(
        result.errors.contains(
          "cannot create the folder \"\(tool.data)\": not a directory; check the path"),
        "\(result.errors)")
    }

    @Test func `a command of a user who may not search the folder reports the permission`()
      async throws
    {
      let server = try await tool.serve()
      _ = await onNewThread { server.stop() }
      #expect(chmod(tool.data, 0o600) == 0)
      defer { chmod(tool.data, 0o700) }
      // The superuser may search every folder, so the command runs as another user.
      let script =
        geteuid() == 0
        ? #"chmod o+x "${1%/*}"; setpriv --reuid 65534 --clear-groups "$0" scopes --data "$1""#
        : #""$0" scopes --data "$1""#

      let (program, data) = (try Program(built: "undercroft-sync-server"), tool.data)
      let result = try await onNewThread { try program.runInShell(script, data) }

      #expect(result.status == 1)
      #expect(result.errors.contains("permission denied; run the command as"), "\(result.errors)")
    }

    @Test func `an administration port that is the port of the protocol is refused`() async throws {
      let result = try await tool.run(["--port", "8091", "--admin-port", "8091"])

      #expect(result.status == 1)
      #expect(result.errors.contains("it is the port of the protocol"), "\(result.errors)")
    }

    @Test func `the error names the administration port, which can be the one in use`() async throws
    {
      let server = try await tool.serve()
      let port = try #require(server.port)
      let other = try ServerTool()

      let result = try await other.run(["--port", "0", "--admin-port", "\(port)"])

      #expect(result.status == 1)
      #expect(
        result.errors.contains(
          "port 0 and \"127.0.0.1\", port \(port): Address already in use; state"),
        "\(result.errors)")
      #expect(result.errors.contains("--admin-host and --admin-port"))
      #expect(server.isRunning)
    }
  }
#endif
