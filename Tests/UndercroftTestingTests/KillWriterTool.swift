import Foundation
import TestSupport
import UndercroftCore

/// The tool that kills writers and lets them contend, started as a program of its own.
enum KillWriterTool {
  /// Not on a thread of the test pool: the few that there are would wait for kills, and every other test for them.
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
