package import Foundation

/// The `sqlite3` program, which is independent of this toolkit and uses SQLite's default settings.
package enum SQLiteShell {
  package struct Failure: Error {
    package let output: String
  }

  /// Runs statements on a file in a separate process, and returns the output of the program.
  @discardableResult
  package static func run(_ sql: String, on url: URL) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-bail", url.path]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
    input.fileHandleForWriting.write(Data((".timeout 60000\n" + sql + ";\n").utf8))
    try input.fileHandleForWriting.close()
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(output: printed) }
    return printed
  }
}
