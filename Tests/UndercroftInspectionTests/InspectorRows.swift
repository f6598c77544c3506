import Foundation
import TestSupport
import Testing

/// The rows of a command's JSON output.
enum InspectorRows {
  /// Runs the inspector with `--format json`, and returns the rows of its output.
  static func of(_ arguments: String...) throws -> [[String: Any]] {
    let result = try run(arguments + ["--format", "json"])
    #expect(result.status == 0, "\(result.errors)")
    return try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]]
      ?? []
  }
}

/// Expects that `body` changes no file in a folder, not even a modification time.
func expectUnchanged(_ folder: URL, _ body: () throws -> Void) throws {
  let before = try fileStates(in: folder)
  try body()
  #expect(try fileStates(in: folder) == before)
}
