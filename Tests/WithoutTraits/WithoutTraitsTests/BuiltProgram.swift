import Foundation
import Testing

/// Runs a tool of the build, and returns its exit status and its standard output.
func run(_ name: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
  let (process, output) = (Process(), Pipe())
  process.executableURL = try program(name)
  process.arguments = arguments
  process.standardOutput = output
  try process.run()
  let printed = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: printed, as: UTF8.self))
}

/// Returns the location of a tool, which the build creates beside the test bundle.
func program(_ name: String) throws -> URL {
  let folders = [
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent(), Bundle.main.bundleURL,
  ]
  let programs = folders.map { $0.appending(path: name) }
  return try #require(programs.first { FileManager.default.isExecutableFile(atPath: $0.path) })
}
