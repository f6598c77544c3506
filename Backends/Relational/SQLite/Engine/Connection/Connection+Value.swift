import CSQLite
import UndercroftCore

extension Connection {
  /// Returns the first column of the first row; `nil` when there is no row or it holds NULL.
  ///
  /// ```swift
  /// let count = try db.value("SELECT count(*) FROM book") as Int?
  /// ```
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` for a value of another type.
  public func value<Value: SQLReadable>(
    _ sql: SQL, as type: Value.Type = Value.self
  ) throws -> Value? {
    try first(sql) { row in try row[0] as Value? } ?? nil
  }

  /// Lets no value of this connection be longer, at most what the library was built for; returns what held before.
  ///
  /// A longer one is an error of code ``StorageError/Code/tooLarge``. (`sqlite3_limit`, `SQLITE_LIMIT_LENGTH`)
  @discardableResult
  public func limitValues(toByteCount count: Int) -> Int {
    Int(sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, Int32(clamping: max(1, count))))
  }
}
