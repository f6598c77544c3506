import Foundation
import TestSupport
import Testing
import UndercroftCore

/// The parent of suites that start processes, serialised.
@Suite(.serialized) enum MigrationProcessTests {}

/// Runs the tool that migrates old libraries in separate processes and kills them.
enum MigrationTool {
  /// The exit status and the output of a run.
  struct Run: Sendable {
    let status: Int32
    let lines: [String]

    var last: String { lines.last ?? "" }
    var text: String { lines.suffix(12).joined(separator: "\n") }
  }

  /// Runs the tool outside the threads of the test pool, so that other tests are not blocked.
  ///
  /// - Parameter blocks: The file size limit of the process in blocks of 512 bytes.
  static func run(_ arguments: String..., blocks: Int? = nil) async throws -> Run {
    try await run(arguments, blocks: blocks)
  }

  /// Runs the tool with a list of arguments.
  static func run(_ arguments: [String], blocks: Int? = nil) async throws -> Run {
    try await blocking { try start(arguments, blocks) }
  }

  private static func start(_ arguments: [String], _ blocks: Int?) throws -> Run {
    let tool = try KillWriterProgram.url()
    let process = Process()
    if let blocks {
      process.executableURL = URL(filePath: "/bin/sh")
      // Ignores the signal, so that the write call fails instead.
      process.arguments = [
        "-c", "trap '' XFSZ; ulimit -f \(blocks); exec \"$0\" \"$@\"", tool.path(),
      ]
    } else {
      process.executableURL = tool
      process.arguments = []
    }
    process.arguments? += arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    return Run(status: process.terminationStatus, lines: lines)
  }

  /// Runs `body` with an old library in a new folder, and deletes the folder afterwards.
  static func withOldLibrary(
    _ body: (_ file: String, _ folder: URL) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "undercroft-migration-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "library.sqlite").path()
    #expect(try await run("old-library", "--file", file).status == 0)
    try await body(file, folder)
  }

  /// Verifies that a file contains all rows of an old library, and returns its version.
  static func version(of file: String) async throws -> String {
    let run = try await run("old-library", "--looks", "--file", file)
    #expect(run.status == 0, "\(run.text)")
    return run.last
  }
}
