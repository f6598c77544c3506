import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftGDBM

@Suite struct AdviseCommandTests {
  /// Numbers from 1, for tables with many rows.
  private static func numbers(_ count: Int) -> String {
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(count))"
  }

  private static let loans = """
    CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, shelf TEXT);
    CREATE TABLE loan(id INTEGER PRIMARY KEY, book INTEGER REFERENCES book(id), reader TEXT);
    INSERT INTO loan \(numbers(1_500)) SELECT x, NULL, 'Ada' FROM n;
    INSERT INTO book \(numbers(1_500)) SELECT x, 'Dune', 'A' FROM n;
    """

  @Test func `a foreign key without an index is advised with the statement that creates it`()
    throws
  {
    try withSampleDatabase(SQL(unchecked: Self.loans)) { url in
      let rows = try advice(url, about: "missing-index")

      let row = try #require(rows.first)
      #expect(rows.count == 1)
      #expect(row["fix"] as? String == #"CREATE INDEX "loan_by_book" ON "loan"("book");"#)
      #expect(row["table"] as? String == "loan")
      #expect(row["subject"] as? String == "book")
      #expect(row["count"] as? Int == 1_000)
    }
  }

  @Test(arguments: ["due \"now\"", "\u{301}loan", "loan\"\u{301}"])
  func `a table is advised to have an index, even if its name has quotation marks or accents`(
    name: String
  ) throws {
    let marked = "\"" + name.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    let script = """
      CREATE TABLE book(id INTEGER PRIMARY KEY);
      CREATE TABLE \(marked)(id INTEGER PRIMARY KEY, book INTEGER REFERENCES book(id));
      INSERT INTO \(marked) \(Self.numbers(1_500)) SELECT x, NULL FROM n;
      """
    try withSampleDatabase(SQL(unchecked: script)) { url in
      let rows = try advice(url, about: "missing-index")

      let tables = rows.compactMap { $0["table"] as? String }
      #expect(tables.map { Array($0.utf8) } == [Array(name.utf8)])
    }
  }

  @Test func `a trigger whose texts contain apostrophes needs indexes too`() throws {
    let script =
      Self.loans + """
        CREATE TRIGGER returned AFTER DELETE ON loan BEGIN
          UPDATE book SET shelf = 'it''s' WHERE title = 'reader''s; copy';
        END;
        """
    try withSampleDatabase(SQL(unchecked: script)) { url in
      let fixes = try advice(url, about: "missing-index").compactMap { $0["fix"] as? String }

      #expect(fixes.contains(#"CREATE INDEX "book_by_title" ON "book"("title");"#))
    }
  }

  @Test func `an index that the fix creates ends the advice`() throws {
    let script = Self.loans + #"CREATE INDEX "loan_by_book" ON "loan"("book");"#
    try withSampleDatabase(SQL(unchecked: script)) { url in
      let rows = try advice(url, about: "missing-index")

      #expect(rows.isEmpty)
    }
  }

  @Test func `the conditions of views and triggers need indexes too`() throws {
    let script =
      Self.loans
        + """
        CREATE INDEX loan_book ON loan(book);
        CREATE VIEW shelved AS SELECT * FROM book WHERE shelf = 'A';
        CREATE TRIGGER returned AFTER DELETE ON loan BEGIN
          -- a comment; with a semicolon
          UPDATE book SET title = 'x;y' WHERE title = OLD.reader;
          INSERT INTO book SELECT NULL, NEW.reader, 'B' FROM loan WHERE reader = 'Ada';
        END;
        """.replacing("NEW.reader", with: "OLD.reader")
    try withSampleDatabase(SQL(unchecked: script)) { url in
      let fixes = try advice(url, about: "missing-index").compactMap { $0["fix"] as? String }

      #expect(
        fixes.sorted() == [
          #"CREATE INDEX "book_by_shelf" ON "book"("shelf");"#,
          #"CREATE INDEX "book_by_title" ON "book"("title");"#,
          #"CREATE INDEX "loan_by_reader" ON "loan"("reader");"#,
        ])
    }
  }

  @Test func `advise notes how many stores it examined if there is no advice`() throws {
    try withSampleDatabase("CREATE TABLE book(id INTEGER PRIMARY KEY);") { url in
      #expect(chmod(url.path, 0o600) == 0)

      let answer = try run("advise", url.path)

      #expect(answer.status == 0)
      #expect(answer.output.isEmpty)
      #expect(answer.errors == "undercroft: no advice: 1 store was examined\n")
    }
  }

  @Test func `advice as text names the path of the store`() throws {
    try withSampleDatabase("CREATE TABLE loan(day); INSERT INTO loan VALUES (1), (2);") { url in
      let answer = try run("advise", url.path)

      #expect(answer.status == 1)
      #expect(answer.output.contains("missing-key: sqlite: loan\n  \(url.path)\n"))
    }
  }

  @Test func `a small table needs no index`() throws {
    try withSampleDatabase(
      """
      CREATE TABLE book(id INTEGER PRIMARY KEY);
      CREATE TABLE loan(id INTEGER PRIMARY KEY, book INTEGER REFERENCES book(id));
      INSERT INTO loan VALUES (1, NULL);
      """
    ) { url in
      let rows = try advice(url, about: "missing-index")

      #expect(rows.isEmpty)
    }
  }

  @Test func `a table without a primary key is advised, but no table of a full-text index`() throws
  {
    try withSampleDatabase(
      """
      CREATE TABLE loan(reader TEXT); INSERT INTO loan VALUES ('Ada'), ('Ada');
      CREATE VIRTUAL TABLE search USING fts5(title); INSERT INTO search VALUES ('Dune'), ('Emma');
      """
    ) { url in
      let rows = try advice(url, about: "missing-key")

      #expect(rows.map { $0["table"] as? String } == ["loan"])
    }
  }

  @Test func `a file with many unused pages is advised with VACUUM`() throws {
    let script = """
      CREATE TABLE cover(id INTEGER PRIMARY KEY, image BLOB);
      INSERT INTO cover \(Self.numbers(400)) SELECT x, zeroblob(4000) FROM n;
      DELETE FROM cover;
      """
    try withSampleDatabase(SQL(unchecked: script)) { url in
      let rows = try advice(url, about: "free-pages")

      #expect(rows.first?["fix"] as? String == "VACUUM;")
      #expect((rows.first?["count"] as? Int ?? 0) >= 390)
    }
  }

  @Test func `objects in a column are advised`() throws {
    let script = """
      CREATE TABLE event(id INTEGER PRIMARY KEY, body TEXT);
      INSERT INTO event \(Self.numbers(200)) SELECT x, json_object('book', x, 'day', 'x') FROM n;
      """
    try withSampleDatabase(SQL(unchecked: script)) { url in
      let row = try #require(try advice(url, about: "rows-in-column").first)

      #expect(row["subject"] as? String == "event.body")
      #expect(row["count"] as? Int == 200)
      #expect((row["reason"] as? String)?.contains("book, day") == true)
    }
  }

  @Test func `settings whose names are rows, or whose values are objects, are advised`() throws {
    try withTemporaryDirectory { directory in
      let backend = try BackendChoice.settings(at: directory.appending(path: "desk")).open()
      try backend.apply(
        (0..<60).flatMap { number in
          ["title", "author"].map { .set("book.\(number).\($0)", Data("\"x\"".utf8)) }
        })
      try backend.apply(
        (0..<120).map { .set("loan/\($0)", Data(#"{"book":1,"reader":"Ada"}"#.utf8)) })

      let url = directory.appending(path: "desk")
      let names = try advice(url, about: "rows-as-names")
      let values = try advice(url, about: "rows-as-values")

      #expect(names.map { $0["count"] as? Int } == [60])
      #expect((names.first?["reason"] as? String)?.contains("author, title") == true)
      #expect(values.map { $0["subject"] as? String } == ["loan/*"])
    }
  }

  @Test func `a large value in a store that is read as a whole is advised, but not in files`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let cover = Data(repeating: 7, count: 200_000)
      try Storage(home: directory).save(cover, for: StorageKey("m", kind: .blob, default: Data()))
      try Storage(home: directory).save(
        String(repeating: "x", count: 200_000), for: StorageKey("n", kind: .archive, default: ""))

      let rows = try home.rows("advise").filter { $0["rule"] as? String == "large-value" }

      #expect(rows.map { $0["kind"] as? String } == ["archive"])
    }
  }

  @Test(arguments: [false, true])
  func `a preference is large if it exceeds the size that applications can save`(
    isGDBM: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "preferences")
      let choice = isGDBM ? BackendChoice.gdbm(at: url) : .settings(at: url)
      var storage = try Storage(home: directory)
      try storage.use(choice, for: .preference)
      try storage.save("dark", for: StorageKey("theme", kind: .preference, default: ""))
      let sizes = ["small": 65_536, "large": 65_537]
      try choice.open().apply(sizes.map { .set($0.key, Data(repeating: 120, count: $0.value)) })

      let rows = try advice(directory, about: "large-value")

      #expect(rows.map { $0["subject"] as? String } == ["large"])
    }
  }

  @Test func `a cache whose values are large and old is advised`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let key = StorageKey("page", kind: .cache, default: Data())
      try Storage(home: directory).save(Data(repeating: 7, count: 2_000_000), for: key)
      #expect(try home.run("advise").status == 0)

      let folder = directory.appending(path: "cache").path
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        try FileManager.default.setAttributes(
          [.modificationDate: Date.now - 100 * 86_400], ofItemAtPath: folder + "/" + name)
      }

      let advice = try home.rows("advise").filter { $0["severity"] as? String == "advice" }
      #expect(advice.map { $0["rule"] as? String } == ["unlimited-cache"])
    }
  }

  @Test func `a rule that is ignored gives no advice, and the exit status is then 0`() throws {
    try withSampleDatabase(SQL(unchecked: Self.loans)) { url in
      let all = try run("advise", url.path)
      let ignored = try run("advise", url.path, "--ignore", "missing-index")
      let unknown = try run("advise", url.path, "--ignore", "missing")

      #expect(all.status == 1)
      #expect(ignored.status == 0)
      #expect(ignored.output.isEmpty)
      #expect(unknown.status == 64)
      #expect(unknown.errors.contains("missing-index"))
    }
  }

  @Test func `the name of a package is not a secret`() throws {
    try withSampleDatabase(
      """
      CREATE TABLE software(identity TEXT PRIMARY KEY);
      INSERT INTO software VALUES ('apt:amd64'), ('base-passwd:amd64'), ('libsecret-1-0:all');
      """
    ) { url in
      let answer = try run("advise", url.path)

      #expect(answer.status == 0)
    }
  }

  private func advice(_ url: URL, about rule: String) throws -> [[String: Any]] {
    try rowsOfJSON(try run("advise", url.path, "--format", "json").output)
      .filter { $0["rule"] as? String == rule }
  }
}
