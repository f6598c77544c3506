import Foundation
import TestSupport
import Testing

/// The parent suite of test suites that start processes.
///
/// Only the tests within one of these suites run one after the other.
@Suite(.heavy) enum MigrationProcessTests {}

/// A runner of the program `KillWriter`, which migrates old libraries in separate processes and
/// kills the processes.
enum MigrationTool {
  /// - Parameter blocks: The file size limit of the process in blocks of 512 bytes.
  static func run(_ arguments: String..., blocks: Int? = nil) async throws -> ProgramResult {
    try await run(arguments, blocks: blocks)
  }

  /// Runs the program with a list of arguments.
  static func run(_ arguments: [String], blocks: Int? = nil) async throws -> ProgramResult {
    try await Program(built: "KillWriter").run(arguments, fileBlocks: blocks)
  }

  /// Runs `body` with an old library in a new folder, and deletes the folder afterwards.
  static func withOldLibrary(
    _ body: (_ file: String, _ folder: URL) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let file = folder.appending(path: "library.sqlite").path()
      #expect(try await run("old-library", "--file", file).status == 0)
      try await body(file, folder)
    }
  }

  /// Verifies that a file contains all rows of an old library, and returns its version.
  static func version(of file: String) async throws -> String {
    let run = try await run("old-library", "--looks", "--file", file)
    #expect(run.status == 0, "\(run.summary)")
    return run.lastLine
  }
}

extension ProgramResult {
  /// The last lines of the output.
  var summary: String { lines.suffix(12).joined(separator: "\n") }
}
