import Testing
import UndercroftMigration
import UndercroftMigrationTesting
import UndercroftSQLite

/// Tests that the SQL of a golden schema recreates all rows of a database.
struct GoldenRowsTests {
  private static let script: SQL = """
    CREATE TABLE shelf (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE COLLATE NOCASE);
    CREATE TABLE "a ""b"" 'c'
    d" ("select" TEXT, "x y" REAL, [from] BLOB, `to` ANY, shelf INTEGER REFERENCES shelf (id));
    CREATE TABLE tight (a INT NOT NULL, b TEXT, c REAL, d BLOB, e ANY, PRIMARY KEY (b, a)) STRICT, WITHOUT ROWID;
    CREATE TABLE "größe" ("größe" NUMERIC, double AS ("größe" * 2) VIRTUAL, half REAL AS ("größe" / 2) STORED);
    CREATE TABLE egg (id INTEGER PRIMARY KEY, hen INTEGER NOT NULL REFERENCES hen (id));
    CREATE TABLE hen (id INTEGER PRIMARY KEY, egg INTEGER NOT NULL REFERENCES egg (id) ON DELETE RESTRICT);
    CREATE TABLE log (what TEXT);
    CREATE VIRTUAL TABLE words USING fts5(body, tag UNINDEXED);
    CREATE VIRTUAL TABLE place USING rtree(id, x1, x2, +name TEXT);
    CREATE UNIQUE INDEX "large; --" ON "größe" ("größe") WHERE double > 10;
    CREATE INDEX computed ON tight (length(b), d DESC);
    CREATE VIEW names AS WITH n AS (SELECT name FROM shelf) SELECT name, ';' AS mark FROM n;
    CREATE TRIGGER logged BEFORE INSERT ON shelf WHEN new.name <> '' BEGIN
      INSERT INTO log VALUES ('shelf; ' || new.name); -- more
    END;
    CREATE TRIGGER spread AFTER DELETE ON shelf BEGIN
      DELETE FROM log WHERE what LIKE CASE WHEN old.id > 1 THEN 'x;' ELSE 'y' END;
    END
    """

  @Test(arguments: 1...6)
  func `a GoldenSchema recreates the rows that a RowGenerator inserts into every kind of table`(
    seed: Int
  ) throws {
    try GoldenSchemaTests.expectRoundTrip(Self.script) { db in
      var generator = RowGenerator(rowsPerTable: 20, seed: UInt64(seed))
      let log: SQL = "SELECT count(*) FROM log"
      #expect(try generator.fill(db, except: []) == [])
      #expect(try db.fetchValue(log, as: Int.self) > 20)
      try db.execute("DELETE FROM \(identifier: "a \"b\" 'c'\nd") WHERE shelf IS NOT NULL")
      // Leaves gaps in the rowids and deletes the highest ones.
      try db.executeScript(
        """
        DELETE FROM "größe" WHERE rowid % 3 = 0;
        DELETE FROM shelf WHERE id IN (SELECT id FROM shelf ORDER BY id DESC LIMIT 2)
        """)
    }
  }
}
