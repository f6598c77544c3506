import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests of the keys by which `diff`, `find` and `watch` identify rows.
@Suite struct RowKeyTests {
  private static let schema = """
    CREATE TABLE visit(session_token TEXT PRIMARY KEY, page TEXT);
    CREATE TABLE login(reader TEXT, password TEXT);
    """

  @Test func `find redacts a primary key that looks like a secret`() throws {
    try withDatabases { old, _ in
      try SQLiteShell.run("INSERT INTO visit VALUES ('open sesame', 'Emma')", on: old)

      let answer = try run("find", old.path, "Emma")

      #expect(answer.output.contains("‹redacted 11 B"))
      #expect(!answer.output.contains("sesame"))
    }
  }

  @Test func `diff redacts the keys of rows, also of rows without a primary key`() throws {
    try withDatabases { old, new in
      try SQLiteShell.run(
        """
        INSERT INTO visit VALUES ('open sesame', 'Emma'); INSERT INTO login VALUES ('Ada', 'barley')
        """, on: new)

      let answer = try run("diff", old.path, new.path)

      #expect(answer.lines.count == 3)
      #expect(answer.output.contains("Ada"))
      #expect(!answer.output.contains("sesame") && !answer.output.contains("barley"))
    }
  }

  @Test func `watch redacts the keys of rows, also of removed rows`() throws {
    try withDatabases { old, _ in
      try SQLiteShell.run(
        """
        INSERT INTO visit VALUES ('open sesame', 'Emma'); INSERT INTO login VALUES ('Ada', 'barley')
        """, on: old)
      let watch = try Program.inspector.start(
        ["watch", old.path, "--interval", "0.02", "--count", "4"])
      // The tool reports only what changes after it has read the store.
      let writer = try Program(at: "/bin/sh").start([
        "-c",
        """
        while sleep 0.1; do
          sqlite3 "$0" "PRAGMA busy_timeout = 5000; DELETE FROM visit; DELETE FROM login;"
          sleep 0.1
          sqlite3 "$0" "PRAGMA busy_timeout = 5000;
            INSERT INTO visit VALUES ('open sesame', 'Emma');
            INSERT INTO login VALUES ('Ada', 'barley');"
        done
        """, old.path,
      ])
      defer { writer.send(SIGKILL) }

      let answer = try watch.result()

      #expect(answer.lines.count == 4)
      #expect(answer.output.contains("‹redacted"))
      #expect(!answer.output.contains("sesame") && !answer.output.contains("barley"))
    }
  }

  @Test func `diff compares columns by their names and not by their positions`() throws {
    try withDatabases { old, new in
      try SQLiteShell.run(
        "CREATE TABLE reader(id INTEGER PRIMARY KEY, name TEXT, note TEXT);"
          + "INSERT INTO reader VALUES (1, 'Ada', 'open sesame'), (2, 'Bela', 'late');", on: old)
      try SQLiteShell.run(
        "CREATE TABLE reader(id INTEGER PRIMARY KEY, password TEXT, note TEXT, name TEXT);"
          + "INSERT INTO reader VALUES (1, 'barley', 'open sesame', 'Ada'), "
          + "(2, NULL, 'early', 'Bela');", on: new)

      let rows = try rowsOfJSON(run("diff", old.path, new.path, "--format", "json").output)

      #expect(rows.map { $0["old"] as? String } == [nil, "note=late"])
      #expect((rows.first?["new"] as? String)?.hasPrefix("password=‹redacted 6 B") == true)
      #expect(rows.last?["new"] as? String == "password=NULL note=early")
    }
  }

  @Test func `rows with the same columns in another order are equal`() throws {
    try withDatabases { old, new in
      try SQLiteShell.run(
        "CREATE TABLE shelf(id INTEGER PRIMARY KEY, room TEXT, floor INTEGER);"
          + "INSERT INTO shelf VALUES (1, 'A', 2)", on: old)
      try SQLiteShell.run(
        "CREATE TABLE shelf(floor INTEGER, id INTEGER PRIMARY KEY, room TEXT);"
          + "INSERT INTO shelf VALUES (2, 1, 'A')", on: new)

      #expect(try run("diff", old.path, new.path).status == 0)
    }
  }

  @Test func `diff distinguishes NULL, zero and a real zero`() throws {
    try withDatabases { old, new in
      for (url, values) in [(old, "(1, NULL), (2, 0)"), (new, "(1, 0), (2, 0.0)")] {
        try SQLiteShell.run(
          "CREATE TABLE fee(id INTEGER PRIMARY KEY, cents); INSERT INTO fee VALUES \(values)",
          on: url)
      }

      let rows = try rowsOfJSON(run("diff", old.path, new.path, "--format", "json").output)

      #expect(rows.map { $0["new"] as? String } == ["cents=0", "cents=0.0"])
    }
  }

  @Test func `rows whose primary keys are NULL are compared one by one`() throws {
    try withDatabases { old, new in
      for url in [old, new] {
        try SQLiteShell.run("INSERT INTO visit VALUES (NULL, 'Emma'), (NULL, 'Dune')", on: url)
      }

      #expect(try run("diff", old.path, new.path).status == 0)
    }
  }

  private func withDatabases(_ body: (URL, URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let urls = ["old", "new"].map { directory.appending(path: "\($0).sqlite") }
      for url in urls { try SQLiteShell.run(Self.schema, on: url) }
      try body(urls[0], urls[1])
    }
  }
}
