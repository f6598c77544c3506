import Foundation
import TestSupport
import Testing

/// Runs a Python script with arguments, and returns its output.
@discardableResult
func runPython(_ script: String, _ arguments: String...) throws -> String {
  let result = try Program(at: "/usr/bin/env").run(["python3", "-c", script] + arguments)
  try #require(result.status == 0, "\(result.errors)")
  return result.output
}
