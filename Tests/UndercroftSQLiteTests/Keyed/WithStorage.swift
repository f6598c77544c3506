import Foundation
import TestSupport
import UndercroftCore
import UndercroftSQLite

extension StorageKey where Value == String {
  static var theme: StorageKey { StorageKey("theme", kind: .preference, default: "light") }
}

extension Storage {
  /// Reads the theme on another thread.
  func themeOnAnotherThread() throws -> String? {
    try inBackground { self[.theme] }.wait()?.get()
  }
}

/// Calls `body` with a storage whose preferences are in a new database, and with this database.
func withStorage(_ body: (Storage, Database) throws -> Void) throws {
  try withTemporaryDirectory { directory in
    var storage = Storage()
    let choice = BackendChoice.sqlite(at: directory.appending(path: "library.sqlite"))
    try storage.use(choice, for: .preference)
    try storage.save("light", for: .theme)
    try body(storage, try storage.database(for: .preference))
  }
}
