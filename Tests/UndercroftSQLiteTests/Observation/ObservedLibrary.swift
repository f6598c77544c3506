import UndercroftSQLite

/// Libraries in memory with two books, whose changes tests observe.
enum ObservedLibrary {
  /// Returns a library with tables of books and notes.
  static func withNotes(observesRows: Bool = true) throws -> Database {
    try database(observesRows: observesRows, ["CREATE TABLE note(text TEXT)"])
  }

  /// Returns a library with tables of books, readers and loans.
  static func withLoans(observesRows: Bool = true) throws -> Database {
    try database(
      observesRows: observesRows,
      [
        "CREATE TABLE reader(name TEXT PRIMARY KEY, age INTEGER) WITHOUT ROWID",
        "CREATE TABLE loan(book INTEGER REFERENCES book(id) ON DELETE CASCADE, day TEXT)",
      ])
  }

  private static func database(observesRows: Bool, _ otherTables: [SQL]) throws -> Database {
    var options = DatabaseOptions()
    options.observesRows = observesRows
    let database = try Database.inMemory(options)
    try database.write { db in
      try db.execute("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT UNIQUE, shelf INTEGER)")
      for table in otherTables { try db.execute(table) }
      try db.execute("INSERT INTO book VALUES (1, 'Dune', 1), (2, 'Emma', 2)")
    }
    return database
  }
}
