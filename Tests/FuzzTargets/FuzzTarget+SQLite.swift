import Foundation
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

extension FuzzTarget {
  private static let migrator = Migrator(
    [
      MigrationStep("1", up: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)"),
      MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT")
        .down("ALTER TABLE book DROP COLUMN isbn"),
    ], schema: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, isbn TEXT)")

  /// The target for the history of migrations.
  ///
  /// Each part of an input is a type byte followed by one value of the two tables.
  static let migrationRecord = FuzzTarget("migration-record") {
    func text(_ text: String) -> Data { Data([1]) + Data(text.utf8) }
    func number(_ number: UInt8) -> Data { Data([2, number]) }
    return [
      Framing.joined([number(1), text("1"), text(""), text("created"), Data([0])]),
      Framing.joined([
        number(1), text("1"), text(""), text("step"), Data([0]), number(2), text("2"), text(""),
        text("step"), text("DROP TABLE book"),
      ]),
    ]
  } run: { input in
    let values = Framing.parts(Framing.split(input).body).map(value)
    do {
      let database = try Database.inMemory()
      try database.write { db in
        try db.executeScript(
          """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
          CREATE TABLE undercroft_migration (
            position INTEGER PRIMARY KEY, version TEXT NOT NULL UNIQUE, applied_at TEXT NOT NULL,
            origin TEXT NOT NULL, down TEXT);
          CREATE TABLE undercroft_migration_run (
            id INTEGER PRIMARY KEY CHECK (id = 1), start TEXT NOT NULL, snapshot TEXT,
            sliced_version TEXT, has_cursor INTEGER NOT NULL, cursor, is_sliced INTEGER NOT NULL)
          """)
        var rest = values[...]
        while rest.count >= 5 {
          let row = Array(rest.prefix(5))
          rest = rest.dropFirst(5)
          _ = try? db.execute(
            "INSERT INTO undercroft_migration VALUES (\(row[0]), \(row[1]), \(row[2]), \(row[3]), \(row[4]))"
          )
        }
        if rest.count >= 4 {
          let run = Array(rest)
          _ = try? db.execute(
            "INSERT INTO undercroft_migration_run VALUES (1, \(run[0]), \(run[1]), \(run[2]), 1, \(run[3]), 0)"
          )
        }
      }
      var migrator = migrator
      migrator.newerVersionPolicy = .downgrade
      migrator.insertedSteps = .run
      _ = try migrator.plan(for: database).description
      try migrator.migrate(database, to: "2")
      guard try migrator.version(of: database) == "2" else {
        throw FuzzFailure("a migration to version 2 succeeded, but the file has another version")
      }
    } catch let failure as FuzzFailure {
      throw failure
    } catch {}
  }

  private static func value(_ part: Data) -> SQLValue {
    let bytes = part.dropFirst()
    switch part.first {
    case 1: return .text(String(decoding: bytes, as: UTF8.self))
    case 2: return .integer(bytes.reduce(0) { $0 << 8 | Int64($1) })
    case 3: return .real(bytes.reduce(0) { $0 * 256 + Double($1) })
    case 4: return .blob(Data(bytes))
    default: return .null
    }
  }

  /// The target for SQL scripts, which are split into tokens and run in an in-memory database.
  static let sqlScript = FuzzTarget("sql-script") {
    [
      "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT); -- a comment; with a semicolon\n",
      "INSERT INTO book VALUES (1, 'Emma''s; copy'), (2, x'00'); SELECT \"id\", [title] FROM book;",
      "CREATE TRIGGER t AFTER INSERT ON book BEGIN SELECT 1; DELETE FROM book; END; /* open",
    ].map { Data($0.utf8) }
  } run: { input in
    let text = String(decoding: input, as: UTF8.self)
    guard TokenizedSQL(text).replacing([]).utf8.elementsEqual(text.utf8) else {
      throw FuzzFailure("the tokens of an SQL text do not join to the same text")
    }
    do {
      let database = try Database.inMemory()
      try database.writeWithoutTransaction { db in
        _ = try db.executeScript(SQL(unchecked: text)) { _ in .stop }
      }
    } catch is StorageError {}
  }

  /// The target for the parser of `CREATE TABLE` statements, which must find the same columns as
  /// SQLite.
  static let createTable = FuzzTarget("create-table") {
    [
      """
      CREATE TABLE "book" (id INTEGER PRIMARY KEY, title TEXT NOT NULL DEFAULT 'a, (b', -- c
        price NUMERIC(10, 2) CHECK (price > 0), UNIQUE (title, price)) STRICT
      """,
      "create table if not exists main.[a b](`c` text generated always as (upper(d)) stored, d)",
    ].map { Data($0.utf8) }
  } run: { input in
    let text = String(decoding: input, as: UTF8.self)
    guard let table = CreateTableStatement(text) else { return }
    for column in table.columns { _ = table.definition(of: column.name) }
    let names: [String]
    do {
      let database = try Database.inMemory()
      names = try database.writeWithoutTransaction { db in
        try db.execute(SQL(unchecked: text))
        return try db.columns(of: table.name).map(\.name)
      }
    } catch is StorageError {
      return
    }
    let read = table.columns.map { Data($0.name.utf8) }
    guard read == names.map({ Data($0.utf8) }) else {
      throw FuzzFailure(
        "SQLite reports the columns \(names), and the parser \(table.columns.map(\.name))")
    }
  }
}
