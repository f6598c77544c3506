import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

extension MigrationProcessTests {
  @Suite(.serialized) struct MigrationFaultTests {
    /// Returns the sorted names of the files in a folder.
    private func names(in folder: URL) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
    }

    @Test
    func
      `a migration whose snapshot fills the disk changes no file and fails with the error code full`()
      async throws
    {
      try await MigrationTool.withOldLibrary { file, folder in
        let size = try #require(
          FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)

        let run = try await MigrationTool.run(
          "upgrade", "--file", file, "--fallback", "recreate", blocks: size / 1024)

        #expect(run.lastLine.contains("snapshot"), "\(run.summary)")
        #expect(run.lastLine.contains(";"), "\(run.summary)")
        #expect(run.lastLine.hasPrefix("end full"), "\(run.summary)")
        #expect(try names(in: folder) == ["library.sqlite"])
        #expect(try await MigrationTool.version(of: file) == "version 1")

        #expect(try await MigrationTool.run("upgrade", "--file", file).lastLine == "end open")
        #expect(try await MigrationTool.version(of: file) == "version 6")
      }
    }

    @Test(arguments: ["fail", "restoreSnapshot"])
    func `a migration step that fills the disk leaves the file at the version before that step`(
      fallback: String
    )
      async throws
    {
      try await MigrationTool.withOldLibrary { file, folder in
        let size = try #require(
          FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)

        let run = try await MigrationTool.run(
          "upgrade", "--file", file, "--fallback", fallback, blocks: size / 512 + 16)

        #expect(run.lastLine.hasPrefix("end migrationFailed"), "\(run.summary)")
        #expect(run.lastLine.contains("full") || run.lastLine.contains("I/O"), "\(run.summary)")
        // The limit leaves space for the step to version 2, but neither for the step to version 3
        // nor for restoring the snapshot.
        #expect(run.lastLine.contains("the database is at the version \"2\""), "\(run.summary)")
        #expect(run.lastLine.contains("could not be restored") == (fallback == "restoreSnapshot"))
        #expect(try await MigrationTool.version(of: file) == "version 2, unfinished")
        #expect(!(try names(in: folder).contains { $0.hasSuffix(".tmp") }))

        #expect(try await MigrationTool.run("upgrade", "--file", file).lastLine == "end open")
        #expect(try await MigrationTool.version(of: file) == "version 6")
      }
    }

    @Test
    func `a migration throws and changes nothing if another file is at the path of its snapshot`()
      async throws
    {
      try await MigrationTool.withOldLibrary { file, folder in
        let snapshotURL = folder.appending(path: "library.sqlite.version-1.snapshot")
        try FileManager.default.createDirectory(at: snapshotURL, withIntermediateDirectories: true)

        let run = try await MigrationTool.run("upgrade", "--file", file)

        #expect(run.lastLine.hasPrefix("end unavailable"), "\(run.summary)")
        #expect(run.lastLine.contains("version-1.snapshot"), "\(run.summary)")
        #expect(run.lastLine.contains(";"), "\(run.summary)")
        #expect(try await MigrationTool.version(of: file) == "version 1")

        try FileManager.default.removeItem(at: snapshotURL)
        try Data("no database, but somebody's".utf8).write(to: snapshotURL)
        #expect(
          try await MigrationTool.run("upgrade", "--file", file).lastLine.contains("snapshot"))
        #expect(try Data(contentsOf: snapshotURL) == Data("no database, but somebody's".utf8))
        #expect(try await MigrationTool.version(of: file) == "version 1")
      }
    }

    @Test
    func `a migration deletes temporary files of a killed process even if takesSnapshot is false`()
      async throws
    {
      try await MigrationTool.withOldLibrary { file, folder in
        // Kills the process during the copy, after it has created the temporary file.
        for moment in 2...3 {
          _ = try await MigrationTool.run(
            "upgrade", "--file", file, "--at", "\(moment)", "--failing", "2", "--fallback",
            "recreate")
        }
        try Data(count: 4_096).write(to: folder.appending(path: ".undercroft-77.tmp"))

        let run = try await MigrationTool.run("upgrade", "--file", file, "--unsaved")

        #expect(run.lastLine == "end open", "\(run.summary)")
        #expect(!(try names(in: folder).contains { $0.hasSuffix(".tmp") }))
      }
    }

    @Test(arguments: [2, 9, 22])
    func `a migration interrupted by SIGINT is rolled back and can be completed afterwards`(
      moment: Int
    )
      async throws
    {
      try await MigrationTool.withOldLibrary { file, folder in

        let run = try await MigrationTool.run(
          "upgrade", "--file", file, "--at", "\(moment)", "--signal", "\(SIGINT)")

        #expect(run.status == SIGINT)
        _ = try await MigrationTool.version(of: file)
        #expect(try await MigrationTool.run("upgrade", "--file", file).lastLine == "end open")
        #expect(try await MigrationTool.version(of: file) == "version 6")
        #expect(
          try names(in: folder) == ["library.sqlite", "library.sqlite.version-1.snapshot"])
      }
    }
  }
}
