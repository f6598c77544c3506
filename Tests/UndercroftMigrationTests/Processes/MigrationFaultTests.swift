import Foundation
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

extension MigrationProcessTests {
  @Suite struct MigrationFaultTests {
    /// The names of all files in a folder.
    private func names(in folder: URL) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
    }

    @Test func `without room for the snapshot nothing is changed, and the error says so`()
      async throws
    {
      try await MigrationTool.withOldLibrary { file, folder in
        let size = try #require(
          FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
        let run = try await MigrationTool.run(
          "upgrade", "--file", file, "--fallback", "startAfresh", blocks: size / 1024)
        #expect(run.last.contains("snapshot"), "\(run.text)")
        #expect(run.last.contains(";"), "\(run.text)")
        #expect(run.last.hasPrefix("end full"), "\(run.text)")
        #expect(try names(in: folder) == ["library.sqlite"])
        #expect(try await MigrationTool.version(of: file) == "version 1")
        #expect(try await MigrationTool.run("upgrade", "--file", file).last == "end open")
        #expect(try await MigrationTool.version(of: file) == "version 6")
      }
    }

    @Test(arguments: ["fail", "restoreSnapshot"])
    func `without room for a step the file stays at the version before it`(fallback: String)
      async throws
    {
      try await MigrationTool.withOldLibrary { file, folder in
        let size = try #require(
          FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
        let run = try await MigrationTool.run(
          "upgrade", "--file", file, "--fallback", fallback, blocks: size / 512 + 16)
        #expect(run.last.hasPrefix("end migrationFailed"), "\(run.text)")
        #expect(run.last.contains("full") || run.last.contains("I/O"), "\(run.text)")
        let found = try await MigrationTool.version(of: file)
        #expect(found.hasPrefix("version "), "\(found)")
        #expect(found != "version 6")
        #expect(!(try names(in: folder).contains { $0.hasSuffix(".tmp") }))
        #expect(try await MigrationTool.run("upgrade", "--file", file).last == "end open")
        #expect(try await MigrationTool.version(of: file) == "version 6")
      }
    }

    @Test func `something else at the place of the snapshot is named, and nothing is changed`()
      async throws
    {
      try await MigrationTool.withOldLibrary { file, folder in
        let place = folder.appending(path: "library.sqlite.version-1.snapshot")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let run = try await MigrationTool.run("upgrade", "--file", file)
        #expect(run.last.hasPrefix("end unavailable"), "\(run.text)")
        #expect(run.last.contains("version-1.snapshot"), "\(run.text)")
        #expect(run.last.contains(";"), "\(run.text)")
        #expect(try await MigrationTool.version(of: file) == "version 1")
        try FileManager.default.removeItem(at: place)
        try Data("no database, but somebody's".utf8).write(to: place)
        #expect(try await MigrationTool.run("upgrade", "--file", file).last.contains("snapshot"))
        #expect(try Data(contentsOf: place) == Data("no database, but somebody's".utf8))
        #expect(try await MigrationTool.version(of: file) == "version 1")
      }
    }

    @Test func `a temporary that a killed process left is swept, though no snapshot is made`()
      async throws
    {
      try await MigrationTool.withOldLibrary { file, folder in
        // Amid the copy, after the temporary was made.
        for moment in 2...3 {
          _ = try await MigrationTool.run(
            "upgrade", "--file", file, "--at", "\(moment)", "--failing", "2", "--fallback",
            "startAfresh")
        }
        try Data(count: 4_096).write(to: folder.appending(path: ".undercroft-77.tmp"))
        let run = try await MigrationTool.run("upgrade", "--file", file, "--unsaved")
        #expect(run.last == "end open", "\(run.text)")
        #expect(!(try names(in: folder).contains { $0.hasSuffix(".tmp") }))
      }
    }

    @Test(arguments: [2, 9, 22])
    func `interrupted from the keyboard it is rolled back, and goes on the next time`(moment: Int)
      async throws
    {
      try await MigrationTool.withOldLibrary { file, folder in
        let run = try await MigrationTool.run(
          "upgrade", "--file", file, "--at", "\(moment)", "--signal", "\(SIGINT)")
        #expect(run.status == SIGINT)
        _ = try await MigrationTool.version(of: file)
        #expect(try await MigrationTool.run("upgrade", "--file", file).last == "end open")
        #expect(try await MigrationTool.version(of: file) == "version 6")
        #expect(
          try names(in: folder) == ["library.sqlite", "library.sqlite.version-1.snapshot"])
      }
    }
  }
}
