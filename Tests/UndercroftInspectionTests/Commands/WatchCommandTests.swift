import Foundation
import Synchronization
import TestSupport
import Testing
import Undercroft
import UndercroftCore

@Suite struct WatchCommandTests {
  @Test func `watch reports changes of values and rows while an application writes`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let storage = try Storage(home: directory)
      let hasEnded = Mutex(false)
      let key = StorageKey("theme", kind: .preference, default: "")
      // The tool reports only what changes after it has read the stores.
      let writer = Thread {
        var number = 0
        while !hasEnded.withLock({ $0 }) {
          number += 1
          _ = try? storage.save("theme \(number)", for: key)
          _ = try? storage.database(for: .record).write { db in
            try db.execute("UPDATE book SET title = \("title \(number)") WHERE id = 'b1'")
          }
          Thread.sleep(forTimeInterval: 0.02)
        }
      }
      writer.start()
      defer { hasEnded.withLock { $0 = true } }

      let answer = try home.run("watch", "--interval", "0.02", "--count", "6", "--format", "ndjson")

      #expect(answer.status == 0)
      let rows = try answer.output.split(separator: "\n").map { line in
        try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
      }
      #expect(rows.count == 6)
      #expect(rows.contains { $0["kind"] == "preference" && $0["key"] == "theme" })
      #expect(rows.contains { $0["table"] == "book" && $0["key"] == "b1" })
      #expect(rows.allSatisfy { $0["change"] == "~" && $0["time"] != nil })
    }
  }
}
