import Foundation
import TestSupport

/// Calls `body` with a home in a new folder, in which commands create other files, and deletes the
/// folder afterwards.
func withHome(_ body: (SampleHome, TemporaryDirectory) throws -> Void) throws {
  let directory = try TemporaryDirectory()
  try body(SampleHome(at: directory.url.appending(path: "home")), directory)
}
