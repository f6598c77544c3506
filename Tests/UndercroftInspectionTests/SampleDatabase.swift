import Foundation
import TestSupport
import Undercroft

/// Runs `body` with a database that a script has created, and that is closed.
func withSampleDatabase(_ script: SQL, _ body: (URL) throws -> Void) throws {
  try withTemporaryDirectory { directory in
    let url = directory.appending(path: "library.sqlite")
    let database = try Database(at: url)
    try database.write { db in try db.executeScript(script) }
    try database.close()
    try body(url)
  }
}

/// Returns the rows of JSON that a command has written.
func rowsOfJSON(_ output: String) throws -> [[String: Any]] {
  try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]] ?? []
}
