import Foundation

/// The `sqlite3` program, which knows nothing of this toolkit and has all settings as SQLite has them by default.
enum SQLiteShell {
  struct Failure: Error { let output: String }

  /// Runs statements on a file in a process of its own, and returns what they print.
  @discardableResult
  static func run(_ sql: String, on url: URL) throws -> String {
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
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(output: said) }
    return said
  }
}
