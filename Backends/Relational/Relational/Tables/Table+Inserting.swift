public import UndercroftSQLite

extension Table {
  /// Inserts a record and returns it as it is kept: with the key it was given, with defaults and computed columns.
  @discardableResult
  public func insert(_ record: Record, in db: borrowing Connection) throws -> Record {
    _ = try readiness(in: db)
    let sql = "\(definition.insertion) RETURNING \(definition.columnList)"
    return try db.prepare(SQL(unchecked: sql)) { insert in
      try codec.bind(record, definition.writtenPlaces, to: insert)
      guard let kept = try insert.first({ row in try codec.decode(row, 0) }) else { return record }
      return kept
    }
  }

  /// Inserts records: all of them or, when one is refused, none.
  ///
  /// - Throws: an ``InsertError`` that says which was refused.
  public func insert(contentsOf records: some Sequence<Record>, in db: borrowing Connection) throws
  {
    _ = try readiness(in: db)
    try db.transaction { db in
      try db.prepare(SQL(unchecked: definition.insertion)) { insert in
        for (index, record) in records.enumerated() {
          do {
            try codec.bind(record, definition.writtenPlaces, to: insert)
            try insert.run()
          } catch {
            throw InsertError(index: index, underlying: error)
          }
        }
      }
    }
  }
}

/// A record of several was refused.
public struct InsertError: Error, CustomStringConvertible {
  /// Its place among those that were to be inserted, from 0.
  public let index: Int
  /// Why it was refused.
  public let underlying: any Error

  public var description: String { "cannot insert the element \(index): \(underlying)" }
}
