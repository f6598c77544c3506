package import Foundation

/// The `sqlite3` program, which is independent of this toolkit and uses SQLite's default settings.
package enum SQLiteShell {
  package struct Failure: Error {
    package let output: String
  }

  /// Runs statements on a file in a separate process, and returns the output of the program.
  @discardableResult
  package static func run(_ sql: String, on url: URL) throws -> String {
    let result = try Program(at: "/usr/bin/env").run(
      ["sqlite3", "-bail", url.path], input: ".timeout 60000\n\(sql);\n")
    guard result.status == 0 else { throw Failure(output: result.output + result.errors) }
    return result.output
  }
}
