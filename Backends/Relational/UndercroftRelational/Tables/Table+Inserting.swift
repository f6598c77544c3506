import UndercroftCore
public import UndercroftSQLite

extension Table {
  /// Inserts a record and returns it as stored: with its
  /// generated key, its defaults and its computed columns.
  ///
  /// The result does not include changes by triggers that run after the insertion.
  @discardableResult
  public func insert(_ record: Record, in db: Connection) throws -> Record {
    try prepareToWrite(in: db)
    return try kept(
      try writeOne(statements.insertReturning, .insert, given: record, in: db) { insert in
        try codec.bind(record, definition.writtenPlaces, to: insert)
      })
  }

  /// Inserts only some columns of a record, as in
  /// `insert(book, only: \.title, \.rating, in: db)`, and returns the record as stored.
  ///
  /// All other columns get their default value, or NULL.
  @discardableResult
  public func insert(
    _ record: Record, only column: PartialKeyPath<Record>, _ others: PartialKeyPath<Record>...,
    in db: Connection
  ) throws -> Record {
    try prepareToWrite(in: db)
    let places = try places(of: [column] + others)
    let sql = DMLBuilder.insert(into: definition, places) + statements.returning
    return try kept(
      try writeOne(sql, .insert, in: db) { insert in
        try codec.bind(record, places, to: insert)
      })
  }

  /// Inserts a record, resolves a conflict as specified, and
  /// returns the record as stored, or `nil` if it was skipped.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for ``InsertConflict/replace`` if the
  ///   table has a full-text index and `PRAGMA recursive_triggers` is off.
  @discardableResult
  public func insert(
    _ record: Record, onConflict conflict: InsertConflict, in db: Connection
  ) throws -> Record? {
    try prepareToWrite(in: db)
    let sql = try insertion(conflict, in: db) + statements.returning
    let inserted = try writeOne(sql, .insert, given: record, in: db) { insert in
      try codec.bind(record, definition.writtenPlaces, to: insert)
    }
    return conflict == .ignore ? inserted : try kept(inserted)
  }

  /// Returns the statement that inserts a record.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for ``InsertConflict/replace`` if the
  ///   table has a full-text index and `PRAGMA recursive_triggers` is off, because
  ///   SQLite then deletes the replaced rows without running delete triggers.
  func insertion(_ conflict: InsertConflict, in db: Connection) throws -> String {
    if conflict == .replace, definition.fullText != nil,
      try !db.value("PRAGMA recursive_triggers", as: Bool.self)
    {
      throw StorageError.table(
        "cannot replace rows of \(quoted(name)): delete triggers do not run, so its full-text index would keep old entries",
        suggestion: "use upsert, or set PRAGMA recursive_triggers = 1 in DatabaseOptions.setUp")
    }
    return conflict == .fail
      ? definition.insertion
      : DMLBuilder.insert(into: definition, definition.writtenPlaces, onConflict: conflict)
  }
}
