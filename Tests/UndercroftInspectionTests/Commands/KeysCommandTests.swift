import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore
import UndercroftGDBM

@Suite struct KeysCommandTests {
  private static let names =
    ["", "/1", "0"].flatMap { end in (1...2_000).map { "loan/\($0)\(end)" } }
    + ["Z", "a", "z", "\u{e1}", "\u{1f4d6}"]

  @Test(arguments: ["settings", "sqlite", "gdbm"])
  func `the names of a store are listed in the order of their bytes`(backend: String) throws {
    try withStore(backend) { path in
      let rows = try InspectorRows.of("keys", path)

      let found = rows.compactMap { $0["name"] as? String }.map(\.exact)
      #expect(found == Set(Self.names).map(\.exact).sorted())
      #expect(rows.allSatisfy { $0["bytes"] as? Int == 4 })
    }
  }

  @Test(arguments: ["settings", "sqlite", "gdbm"])
  func `the first names with a prefix are listed`(backend: String) throws {
    try withStore(backend) { path in
      let answer = try run(
        "keys", path, "--prefix", "loan/1", "--limit", "3", "--format", "csv", "--no-header")

      #expect(answer.output == "loan/1,4\r\nloan/1/1,4\r\nloan/10,4\r\n", "\(answer.errors)")
    }
  }

  @Test func `keys shows the names before the damage of a database, and then reports the damage`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "store")
      try SQLiteShell.run(
        """
        PRAGMA page_size = 512;
        CREATE TABLE undercroft_entry(
          name TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL) WITHOUT ROWID;
        WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        INSERT INTO undercroft_entry SELECT 'loan/' || i, x'00' FROM n
        """, on: url)
      var bytes = try Data(contentsOf: url)
      bytes.replaceSubrange((bytes.count - 512)..., with: Data(repeating: 0xff, count: 512))
      try bytes.write(to: url)

      let answer = try run("keys", url.path, "--format", "csv", "--no-header")

      #expect(answer.status == 65)
      #expect(answer.output.hasPrefix("loan/100,1\r\nloan/101,1\r\n"), "\(answer.output)")
      #expect(answer.errors.contains("malformed"), "\(answer.errors)")
    }
  }

  private func withStore(_ backend: String, _ body: (_ path: String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "store")
      let choices: [String: BackendChoice] = [
        "settings": .settings(at: url), "sqlite": .sqlite(at: url), "gdbm": .gdbm(at: url),
      ]
      let store = try #require(choices[backend]).open()
      try store.apply(
        Set(Self.names).shuffled().map { StorageChange.set($0, Data("Emma".utf8)) })

      try body(url.path)

      withExtendedLifetime(store) {}
    }
  }
}
