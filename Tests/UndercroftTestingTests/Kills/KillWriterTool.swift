import Foundation
import TestSupport
import UndercroftCore

/// Runs the tool that kills writers and lets processes contend.
enum KillWriterTool {
  /// Runs on a thread of its own, so that waiting for the tool does not block the test pool.
  static func run(_ arguments: String...) async throws -> (status: Int32, lines: [String]) {
    try await run(arguments)
  }

  static func run(_ arguments: [String]) async throws -> (status: Int32, lines: [String]) {
    try await blocking { try runBlocking(arguments) }
  }

  private static func runBlocking(
    _ arguments: [String]
  ) throws -> (status: Int32, lines: [String]) {
    let process = Process()
    process.executableURL = try KillWriterProgram.url()
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    return (process.terminationStatus, lines)
  }
}
