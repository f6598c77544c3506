import Foundation
import Testing

/// The program that writes into a store until its reader goes away, started in a shell.
enum KillWriterTool {
  static func url() throws -> URL {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    return try #require(
      [folder, Bundle.main.bundleURL].map { $0.appending(path: "KillWriter") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path()) })
  }

  /// Runs a script, whose `$0` is the program, `$1` the store's kind and `$2` its folder.
  ///
  /// - Returns: what the script printed, and what it reported as errors.
  static func run(
    _ script: String, _ store: String, in directory: URL
  ) throws -> (output: String, errors: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", script, try url().path(), store, directory.path()]
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    let reported = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: printed, as: UTF8.self), String(decoding: reported, as: UTF8.self))
  }
}
