import UndercroftCore
public import UndercroftSQLite

extension Table {
  /// Inserts a record and returns it as it is kept: with the key it was given, with defaults and computed columns.
  ///
  /// What a trigger changes after the insertion is not seen.
  @discardableResult
  public func insert(_ record: Record, in db: borrowing Connection) throws -> Record {
    try begin(in: db)
    return try kept(
      try writeOne(statements.insertReturning, .insert, given: record, in: db) { insert in
        try codec.bind(record, definition.writtenPlaces, to: insert)
      })
  }

  /// Inserts some columns of a record, as `insert(book, only: \.title, \.rating, in: db)`; the others get their default, or NULL.
  @discardableResult
  public func insert(
    _ record: Record, only column: PartialKeyPath<Record>, _ others: PartialKeyPath<Record>...,
    in db: borrowing Connection
  ) throws -> Record {
    try begin(in: db)
    let places = try places(of: [column] + others)
    let sql = WritingText.insert(into: definition, places) + statements.returning
    return try kept(
      try writeOne(sql, .insert, in: db) { insert in
        try codec.bind(record, places, to: insert)
      })
  }

  /// Inserts a record unless a row is in its way, and returns it as it is kept, `nil` when it was passed over.
  @discardableResult
  public func insert(
    _ record: Record, onConflict conflict: InsertConflict, in db: borrowing Connection
  ) throws -> Record? {
    try begin(in: db)
    let sql = try insertion(conflict, in: db) + statements.returning
    let inserted = try writeOne(sql, .insert, given: record, in: db) { insert in
      try codec.bind(record, definition.writtenPlaces, to: insert)
    }
    return conflict == .ignore ? inserted : try kept(inserted)
  }

  /// The statement that inserts a record.
  ///
  /// - Throws: ``StorageError/Code/misuse`` where rows would be replaced whose words are kept: SQLite tells triggers nothing of it.
  func insertion(_ conflict: InsertConflict, in db: borrowing Connection) throws -> String {
    if conflict == .replace, definition.fullText != nil,
      try !db.value("PRAGMA recursive_triggers", as: Bool.self)
    {
      throw StorageError(
        .misuse,
        "cannot replace rows of \(quoted(name)): the words of those in the way would not be forgotten",
        cure: "use upsert, or set PRAGMA recursive_triggers = 1 in DatabaseOptions.setUp",
        backend: "sqlite")
    }
    return conflict == .fail
      ? definition.insertion
      : WritingText.insert(into: definition, definition.writtenPlaces, onConflict: conflict)
  }
}
