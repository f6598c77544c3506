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
      #expect(answer.errors == "undercroft: watching 6 stores; Ctrl-C ends\n")
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

  @Test func `watch notes on a terminal too how many stores it watches`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      for (options, stores) in [(["--kind", "preference"], "1 store"), ([], "6 stores")] {
        let terminal = try PseudoTerminal(
          Program.inspector, ["watch", home.url.path] + options)

        let note = terminal.read(until: "; Ctrl-C ends")
        terminal.type("\u{3}")
        _ = terminal.result()

        #expect(note.contains("watching \(stores); Ctrl-C ends"), "\(note)")
      }
    }
  }

  @Test func `watch ends with status 77 if all stores are confidential`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let kind = try home.run("watch", "--kind", "secret")
      let vault = try run("watch", directory.path + "/" + home.fileName(of: "secret"))

      #expect(kind.status == 77)
      #expect(kind.errors.contains("no store of the kind \"secret\" at this path may be shown"))
      #expect(vault.status == 77)
      #expect(vault.errors.contains("no store at this path may be shown"))
    }
  }

  @Test func `watch writes the error of a store as JSON, and ends with its status after --count`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let database = directory.appending(path: try home.fileName(of: "record"))
      try Data(repeating: 7, count: 4_096).write(to: database)
      let process = try Program.inspector.start([
        "watch", home.url.path, "--count", "1", "--interval", "0.02", "--format", "ndjson",
      ])
      let storage = try Storage(home: directory)
      let key = StorageKey("theme", kind: .preference, default: "")
      let hasEnded = try waitUntil {
        try storage.save("theme \(UInt32.random(in: 0...UInt32.max))", for: key)
        return !process.isRunning
      }

      let answer = try process.result()

      #expect(hasEnded)
      #expect(answer.status == 65)
      #expect(answer.lines.count == 1)
      #expect(answer.errors.hasPrefix(#"{"error":{"#))
      #expect(answer.errors.contains(#""kind":"record""#))
    }
  }

  @Test func `watch does not show a confidential store that is created meanwhile`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let manifest = directory.appending(path: "undercroft.json")
      // A manifest that does not declare the vault as confidential.
      let text = try String(contentsOf: manifest, encoding: .utf8)
      try text.replacing(#""isConfidential" : true"#, with: #""isConfidential" : false"#)
        .write(to: manifest, atomically: true, encoding: .utf8)
      let vault = directory.appending(path: try home.fileName(of: "secret"))
      let aside = directory.appending(path: "aside")
      try FileManager.default.moveItem(at: vault, to: aside)
      let process = try Program.inspector.start([
        "watch", home.url.path, "--count", "1", "--interval", "0.02",
      ])
      usleep(500_000)
      try FileManager.default.moveItem(at: aside, to: vault)
      usleep(500_000)
      process.send(SIGINT)

      let answer = try process.result()

      #expect(answer.output.isEmpty)
      #expect(!answer.output.contains("s3cret"))
    }
  }
}
