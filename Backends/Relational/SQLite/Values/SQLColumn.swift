import CSQLite
public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One column of the row at hand; valid while the row is, and never converting what it holds.
public struct SQLColumn: ~Copyable {
  let statement: OpaquePointer
  let position: Int32

  /// The name the query gives it. (`sqlite3_column_name`)
  public var name: String {
    sqlite3_column_name(statement, position).map { String(cString: $0) } ?? ""
  }

  /// Whether it holds NULL.
  public var isNull: Bool { type == SQLITE_NULL }

  private var type: Int32 { sqlite3_column_type(statement, position) }

  /// Returns whatever it holds.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` for text that is not UTF-8.
  public func value() throws(StorageError) -> SQLValue {
    switch type {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, position))
    case SQLITE_FLOAT: .real(sqlite3_column_double(statement, position))
    case SQLITE_TEXT: .text(try text())
    case SQLITE_BLOB: .blob(try data())
    default: .null
    }
  }

  /// Returns the integer it holds. (`sqlite3_column_int64`)
  public func integer() throws(StorageError) -> Int64 {
    guard type == SQLITE_INTEGER else { throw mismatch("an integer") }
    return sqlite3_column_int64(statement, position)
  }

  /// Returns the number it holds; an integer only where it can be told exactly. (`sqlite3_column_double`)
  public func real() throws(StorageError) -> Double {
    switch type {
    case SQLITE_FLOAT: return sqlite3_column_double(statement, position)
    case SQLITE_INTEGER:
      guard let number = Double(exactly: sqlite3_column_int64(statement, position)) else {
        throw failure("the integer has more digits than a Double")
      }
      return number
    default: throw mismatch("a number")
    }
  }

  /// Returns the text it holds, NUL characters included. (`sqlite3_column_text`, `sqlite3_column_bytes`)
  public func text() throws(StorageError) -> String {
    guard type == SQLITE_TEXT else { throw mismatch("text") }
    guard let start = sqlite3_column_text(statement, position) else { throw outOfMemory }
    let count = Int(sqlite3_column_bytes(statement, position))
    let utf8 = UnsafeBufferPointer(start: start, count: count)
    guard let text = String(validating: utf8, as: UTF8.self) else {
      throw failure("the text is not UTF-8")
    }
    return text
  }

  /// Returns a copy of the bytes it holds. (`sqlite3_column_blob`, `sqlite3_column_bytes`)
  public func data() throws(StorageError) -> Data {
    guard type == SQLITE_BLOB else { throw mismatch("a blob") }
    let start = sqlite3_column_blob(statement, position)
    let count = Int(sqlite3_column_bytes(statement, position))
    if let start { return Data(bytes: start, count: count) }
    // An empty blob has no address either.
    guard count == 0, sqlite3_errcode(sqlite3_db_handle(statement)) != SQLITE_NOMEM else {
      throw outOfMemory
    }
    return Data()
  }

  /// Returns an error that says why the column cannot be read.
  public func failure(_ reason: String) -> StorageError {
    StorageError(
      .decodingFailed, "cannot read the column \(quoted(name)): \(reason)",
      backend: SQLiteBackend.name)
  }

  private func mismatch(_ wanted: String) -> StorageError {
    let held =
      switch type {
      case SQLITE_INTEGER: "an integer"
      case SQLITE_FLOAT: "a floating-point number"
      case SQLITE_TEXT: "text"
      case SQLITE_BLOB: "a blob"
      default: "NULL"
      }
    return failure("\(wanted) was asked for and it holds \(held)")
  }

  private var outOfMemory: StorageError {
    StorageError(.io, "cannot read a column: out of memory", backend: SQLiteBackend.name)
  }
}
