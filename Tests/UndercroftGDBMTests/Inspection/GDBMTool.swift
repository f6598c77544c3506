import Foundation
import TestSupport
import Testing

/// The program `gdbmtool`, which is independent of this toolkit.
enum GDBMTool {
  /// Runs commands on a new file, or on an existing file if `isNew` is false.
  static func write(
    _ commands: [String], to url: URL, format: String = "standard", isNew: Bool = true
  ) throws {
    let start = ["set format=\"\(format)\"", "open \(url.path)"]
    let result = try Program(at: "/usr/bin/env").run(
      ["gdbmtool", isNew ? "--newdb" : "--norc"],
      input: (start + commands).joined(separator: "\n") + "\n")
    try #require(result.status == 0 && result.errors.isEmpty, "\(result.output)\(result.errors)")
  }

  /// Returns the number of entries that the program counts in a file.
  static func count(_ url: URL) throws -> Int? {
    let result = try Program(at: "/usr/bin/env").run(["gdbmtool", "-r", url.path, "count"])
    return result.output.split { !$0.isNumber }.first.flatMap { Int($0) }
  }
}
