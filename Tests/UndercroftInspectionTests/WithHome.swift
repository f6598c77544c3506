import Foundation
import TestSupport
import Undercroft
import UndercroftCore

/// Calls `body` with a home in a new folder, in which commands create other files, and deletes the
/// folder afterwards.
func withHome(_ body: (SampleHome, TemporaryDirectory) throws -> Void) throws {
  let directory = try TemporaryDirectory()
  try body(SampleHome(at: directory.url.appending(path: "home")), directory)
}

/// Calls `body` with a home that contains a number of preferences with the text "Emma", and deletes
/// the home afterwards.
///
/// The names of the preferences are numbered: "loan 1000", "loan 1001" and so on.
func withHome(preferenceCount count: Int, _ body: (URL) throws -> Void) throws {
  try withTemporaryDirectory { directory in
    let home = directory.appending(path: "home")
    let storage = try Storage(home: home)
    for number in 0..<count {
      let key = StorageKey("loan \(1_000 + number)", kind: .preference, default: "")
      try storage.save("Emma", for: key)
    }
    try body(home)
  }
}
