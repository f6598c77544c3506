#if SyncServer && SyncHTTP
  import Foundation
  import NetworkTestSupport
  import TestSupport
  import Testing

  /// Tests of backups that the built tool `undercroft-sync-server` refuses to restore.
  @Suite(.timeLimit(.hangLimit)) struct ToolRestorationTests {
    private let tool: ServerTool

    init() throws { tool = try ServerTool() }

    /// Writes a backup of a server, removes the data of the server, and returns the backup.
    private func backup() async throws -> String {
      let copy = tool.directory.file("copy")
      let server = try await tool.serve()
      let result = try await tool.run(["backup", copy])
      _ = await onNewThread { server.stop() }
      try FileManager.default.moveItem(atPath: tool.data, toPath: tool.directory.file("old"))
      #expect(result.status == 0, "\(result.errors)")
      return copy
    }

    @Test func `a backup without the tokens is not restored, and no file is created`() async throws
    {
      let copy = try await backup()
      try FileManager.default.removeItem(atPath: copy + "/accounts.sqlite")

      let result = try await tool.run(["restore", copy])

      #expect(result.status == 1)
      #expect(result.errors.contains("the backup is not complete"), "\(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: copy + "/accounts.sqlite"))
      #expect(!FileManager.default.fileExists(atPath: tool.data))
    }

    @Test func `a restoration does not replace tokens that exist`() async throws {
      let copy = try await backup()
      let created = try await tool.run(["token", "create", "ann", "--scope", "library"])

      let result = try await tool.run(["restore", copy])

      let listed = try await tool.run(["token", "list"])
      #expect(created.status == 0)
      #expect(result.status == 1)
      #expect(result.errors.contains("the folder contains data"), "\(result.errors)")
      #expect(listed.output.contains("\tann\t"))
    }

    @Test func `a restoration that was interrupted after the tokens is repeated`() async throws {
      let copy = try await backup()
      let manager = FileManager.default
      try manager.createDirectory(
        atPath: tool.data + "/store.restoring", withIntermediateDirectories: true)
      try manager.copyItem(
        atPath: copy + "/accounts.sqlite", toPath: tool.data + "/accounts.sqlite")

      let result = try await tool.run(["restore", copy])

      let listed = try await tool.run(["token", "list"])
      #expect(result.status == 0, "\(result.errors)")
      #expect(listed.output.contains("\towner\t"))
      #expect(!manager.fileExists(atPath: tool.data + "/store.restoring"))
    }
  }
#endif
