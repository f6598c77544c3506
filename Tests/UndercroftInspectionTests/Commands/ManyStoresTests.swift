import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of commands on a home with many stores in one folder.
@Suite struct ManyStoresTests {
  /// A home whose stores are in a folder outside of it.
  private struct Home {
    let url: URL
    /// The folder of the stores, whose kinds are the names of their files.
    let shelves: URL

    init(in directory: URL, storeCount: Int) throws {
      url = directory.appending(path: "home-\(storeCount)")
      shelves = directory.appending(path: "shelves-\(storeCount)")
      for folder in [url, shelves] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      }
      var routes: [[String: Any]] = []
      for number in 1...storeCount {
        let store = shelves.appending(path: "shelf-\(number)")
        try JournalledBackend(at: store).apply([.set("loan", Data("Emma".utf8))])
        routes.append([
          "kind": "shelf-\(number)", "backend": "settings", "path": store.path, "codec": "bytes",
          "prefix": "", "isConfidential": false,
        ])
      }
      let manifest: [String: Any] = ["version": 1, "routes": routes]
      try JSONSerialization.data(withJSONObject: manifest)
        .write(to: url.appending(path: "undercroft.json"))
    }

    func rows(_ command: String) throws -> [[String: Any]] {
      try rowsOfJSON(run(command, url.path, "--format", "json").output)
    }

    /// Returns the number of times that a command lists the folder of the stores.
    func listingCount(by command: String) throws -> Int {
      try withTemporaryDirectory { directory in
        let trace = directory.appending(path: "trace")
        let tool = [try Program.inspector.path, command, url.path]
        let answer = try Program(at: "/usr/bin/strace")
          .run(["-f", "-o", trace.path, "-e", "trace=openat"] + tool)
        #expect([0, 1].contains(answer.status), "\(answer.errors)")
        let calls = try String(contentsOf: trace, encoding: .utf8).split(separator: "\n")
        let paths = [shelves.path, shelves.path + "/"].map { "\"\($0)\"" }
        return calls.count { call in
          call.contains("O_DIRECTORY") && paths.contains { call.contains($0) }
        }
      }
    }
  }

  @Test(
    .enabled(if: Program.canTrace),
    arguments: [
      ("info", 1), ("doctor", 1), ("advise", 1), ("ls", 0), ("check", 0), ("du", 0),
    ])
  func `a command lists the folder of its stores at most once, however many stores it has`(
    command: String, count: Int
  ) throws {
    try withTemporaryDirectory { directory in
      let few = try Home(in: directory, storeCount: 2)
      let many = try Home(in: directory, storeCount: 11)

      let counts = try [few, many].map { try $0.listingCount(by: command) }

      #expect(counts == [count, count])
    }
  }

  @Test func `info shows the files of each store in a folder, and no file of another store`() throws
  {
    try withTemporaryDirectory { directory in
      let home = try Home(in: directory, storeCount: 11)
      for name in ["shelf-1-wal", "shelf-1.bak", "shelf", "shelf-12"] {
        try Data("Dune".utf8).write(to: home.shelves.appending(path: name))
      }

      let rows = try home.rows("info")

      let names = try FileManager.default.contentsOfDirectory(atPath: home.shelves.path).sorted()
      #expect(rows.count == 11)
      for row in rows {
        let kind = try #require(row["kind"] as? String)
        let files = try #require(row["files"] as? [[String: Any]])
        let own = names.filter { name in
          name == kind || name.hasPrefix(kind + "-") || name.hasPrefix(kind + ".")
        }
        #expect(files.map { $0["path"] as? String } == own.map { home.shelves.path + "/" + $0 })
      }
    }
  }

  @Test func `doctor reports a temporary file beside several stores once`() throws {
    try withTemporaryDirectory { directory in
      let home = try Home(in: directory, storeCount: 3)
      let leftover = home.shelves.appending(path: ".undercroft-1f2e3d4c5b6a7988.tmp")
      try Data(count: 40).write(to: leftover)

      let found = try home.rows("doctor").filter { $0["check"] as? String == "temporary file" }

      #expect(found.map { $0["state"] as? String } == ["warning"])
      #expect((found.first?["text"] as? String)?.contains(leftover.path) == true)
    }
  }

  @Test func `info lists the locks on the files of each store, and none of another store`() throws {
    try withTemporaryDirectory { directory in
      let home = try Home(in: directory, storeCount: 3)
      let backend = try JournalledBackend(at: home.shelves.appending(path: "shelf-2"))

      try backend.withExclusiveAccess {
        // The system does not list all locks if other tests acquire and release locks meanwhile.
        let isListed = try (0..<20).contains { _ in
          let rows = try home.rows("info").filter { ($0["locks"] as? [String])?.isEmpty == false }
          return rows.map { $0["kind"] as? String } == ["shelf-2"]
        }

        #expect(isListed)
      }
    }
  }
}
