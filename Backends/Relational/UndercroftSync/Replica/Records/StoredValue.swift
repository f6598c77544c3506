import UndercroftCore
import UndercroftFoundation
import UndercroftSQLite

/// A value as SQLite stores it, including text that is not UTF-8.
struct StoredValue: SQLReadable {
  let value: SyncValue

  static func read(from column: borrowing SQLColumn) throws(StorageError) -> StoredValue {
    switch column.type {
    case .null: return StoredValue(value: .null)
    case .integer: return StoredValue(value: .integer(try column.integer()))
    case .real: return StoredValue(value: .real(try column.real()))
    case .text:
      // The text is converted first, because a database in UTF-16 has other bytes.
      if let text = try? column.text() { return StoredValue(value: .text(text)) }
      return StoredValue(value: SyncValue(textBytes: column.bytes))
    case .blob: return StoredValue(value: .blob(try column.data()))
    }
  }
}

extension SyncValue {
  /// The SQL expression for the value, with the value as a bound parameter.
  var sql: SQL {
    switch stored {
    case .null: "\(SQLNull())"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): "\(text)"
    // A string of Swift cannot contain these bytes.
    case .malformedText(let bytes): "CAST(\(bytes) AS TEXT)"
    case .blob(let bytes): "\(bytes)"
    // A row with a value that cannot be decrypted waits, so no table contains this text.
    case .encrypted(let value): "\(value.text)"
    }
  }
}
