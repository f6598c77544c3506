import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct BackendCheckpointTests {
  @Test func `after a checkpoint, the database file alone contains all values`() throws {
    try withTemporaryDirectory { directory in
      let (url, copy) = (
        directory.appending(path: "library.sqlite"), directory.appending(path: "copy.sqlite")
      )
      let backend = try SQLiteBackend(at: url)
      try backend.apply([.set("theme", Data("dark".utf8)), .set("shelf", Data(count: 50_000))])

      try backend.checkpoint()
      try FileManager.default.copyItem(at: url, to: copy)

      let copied = try SQLiteBackend(at: copy)
      #expect(try copied.read("theme") == Data("dark".utf8))
      #expect(try copied.read("shelf") == Data(count: 50_000))
    }
  }

  @Test func `a checkpoint that a reader prevents throws, and the values remain`() throws {
    try withTemporaryDirectory { directory in
      let backend = try SQLiteBackend(
        at: directory.appending(path: "library.sqlite"),
        DatabaseOptions(lockTimeout: .milliseconds(50)))
      try backend.apply([.set("theme", Data("dark".utf8))])
      let (inside, bell) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let reader = inBackground {
        try backend.database.read { db in
          _ = try db.fetchOne("SELECT 1 FROM undercroft_entry") { _ in 1 }
          inside.signal()
          bell.wait()
        }
      }
      inside.wait()
      try backend.apply([.set("theme", Data("light".utf8))])

      let error = #expect(throws: StorageError.self) { try backend.checkpoint() }
      bell.signal()
      _ = try reader.wait()?.get()

      #expect(error?.code == .locked)
      #expect(error?.message.contains("library.sqlite") == true, "\(error as Any)")
      try backend.checkpoint()
      #expect(try backend.read("theme") == Data("light".utf8))
    }
  }
}
